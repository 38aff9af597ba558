//! Tells a secret from the code, placeholders and prose that stand in the same places.
//!
//! A secret that stays costs more than a word too many that goes, so everything counts as a secret unless it is
//! recognised as harmless.

use super::value::{Value, markers};

/// Values that are no secret whatever the name before them: types, states, keywords, the words that follow a colon in
/// prose and test output, and the names themselves, as in `password = password` and `Authorization: Bearer`.
const HARMLESS: &str = "
    none null nil undefined true false void unset empty default optional
    string &string str &str &'static bytes buffer uint8array arraybuffer bool boolean int integer number text varchar
    any object unknown file secretstr secretstring passwordfield charfield
    await new function fn def return let const var static import from async not typeof self this args
    inherit include omit same-origin read write
    is are was were must should may can cannot can't could will has have had does did
    the an and or for with without that which your you its it too if in on to of at as by no yes please
    use using see check enter provide option options flag flags argument parameter parameters value values
    variable field fields header headers permission
    expected expects unexpected received got found missing required invalid incorrect wrong valid expired
    denied rejected accepted refused unauthorized forbidden failed passed fail pass failure error errors tests
    success ok okay skipped ignored mismatch changed updated removed added created deleted rotated revoked
    leaked exposed present absent provided hidden masked redacted
    password passwd passphrase secret token api_key apikey api-key credentials key
    bearer basic digest authorization auth";

/// What code starts with when it fetches a value instead of holding it.
const FETCHES: &str = "
    os. process. env. system. import.meta self. &self. this. args. config. settings. options. opts. params. props.
    req. request. ctx. form. data. secrets. vars. var. local.";

/// What a value starts with that is filled in later, or is the place of a file.
const OPENINGS: &str = "#{ $( %( <% {{ ${{ ~/ ./ ../";

/// Names of files that end like an address.
const FILES: &str = "png jpg jpeg gif svg webp service socket timer target json yaml yml toml tgz gz lock js mjs ts tsx jar";

/// Whether a list names `word`, in any case.
fn names(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|item| item.eq_ignore_ascii_case(word))
}

/// Every match is a secret: the pattern says enough.
pub(super) fn always(_: &str) -> bool {
    true
}

/// The rest of a token behind a short prefix. A word in lower case behind `sk-` or `npm_` is a name.
pub(super) fn token(text: &str) -> bool {
    let body = text.get(text.find(['-', '_']).map_or(0, |at| at + 1)..).unwrap_or_default();
    body.len() >= 24 || body.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

/// What follows `Bearer`: prose has no digits, no capitals within a word and few words this long.
pub(super) fn bearer(text: &str) -> bool {
    text.len() >= 16 || is_random(text)
}

/// What follows `Basic`, which is a word of prose far more often than a scheme.
pub(super) fn basic(text: &str) -> bool {
    text.ends_with('=') || (text.bytes().any(|b| b.is_ascii_digit()) && is_mixed(text))
}

/// An AWS or Google token that only its alphabet tells: it has digits, small letters and capitals.
pub(super) fn dense(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit()) && is_mixed(text)
}

/// A user and password in a URL, or a lone token. A user alone is none, nor is a host with its port and path.
pub(super) fn user_info(text: &str) -> bool {
    if is_marker(text) || is_template(text) {
        return false;
    }
    match text.split_once(':') {
        Some((_, password)) => {
            let path = password.trim_start_matches(|c: char| c.is_ascii_digit());
            let port = path.len() < password.len() && path.starts_with('/');
            !(port || password.is_empty() || is_marker(password) || is_template(password))
        }
        None => text.len() >= 24 || (text.len() >= 16 && is_random(text)),
    }
}

/// The same, cut off before its `@`. Digits alone are a port.
pub(super) fn user_info_cut(text: &str) -> bool {
    let number = text.rsplit(':').next().is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    !number && user_info(text)
}

/// A user and password on a command line. `1000:1000` names a user and a group.
pub(super) fn user_and_password(text: &str) -> bool {
    user_info(text) && text.bytes().any(|b| b.is_ascii_alphabetic())
}

/// An address, and not an image for a finer screen, a package's version or a unit's instance.
pub(super) fn email(text: &str) -> bool {
    let domain = text.rsplit_once('@').map_or(text, |(_, domain)| domain);
    let mut labels = domain.split('.');
    let first = labels.next().unwrap_or_default();
    let number = first.trim_end_matches(['x', 'X']);
    let counted = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let scale = counted && number.len() < first.len();
    let version = counted && labels.next().is_some_and(|label| label.starts_with(|c: char| c.is_ascii_digit()));
    let last = domain.rsplit('.').next().unwrap_or_default();
    !scale && !version && !names(FILES, last)
}

/// A header's value without quotes of its own.
pub(super) fn header(text: &str) -> bool {
    assigned(&Value { start: 0, text, quoted: false })
}

/// The value of a setting that holds a secret by its name.
pub(super) fn assigned(value: &Value<'_>) -> bool {
    let text = value.text;
    let few = text.chars().take(3).count() < 3;
    !(few
        || is_marker(text)
        || is_mask(text)
        || is_template(text)
        || is_placeholder(text)
        || starts_with_one(OPENINGS, text)
        // A blank behind the quote: it closed a string that ended in `password:`.
        || (value.quoted && text.starts_with([' ', '\t']))
        || (!value.quoted && (text.starts_with(['-', ':', '=']) || is_code(text))))
}

/// The value of a setting that often holds something harmless: only what looks like no word and no number.
pub(super) fn assigned_random(value: &Value<'_>) -> bool {
    let text = value.text;
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    let long = text.len() >= 20 && text.bytes().all(|b| b.is_ascii_alphanumeric());
    assigned_key(value) && (long || (text.len() >= 8 && digits > 0 && letters > 0))
}

/// The value of a key's setting. Keys hold no blanks, unlike the messages of a translation.
pub(super) fn assigned_key(value: &Value<'_>) -> bool {
    assigned(value) && !value.text.contains(' ')
}

/// The value of a token's setting. A bare number counts tokens.
pub(super) fn assigned_token(value: &Value<'_>) -> bool {
    assigned_key(value) && value.text.bytes().any(|b| !(b.is_ascii_digit() || matches!(b, b'_' | b'.' | b',' | b'k' | b'K')))
}

/// The value of `pwd`, which is a password here and the working directory there.
pub(super) fn assigned_no_path(value: &Value<'_>) -> bool {
    let drive = value.text.as_bytes().get(1..3).is_some_and(|two| matches!(two, b":\\" | b":/"));
    assigned(value) && !drive && !value.text.starts_with(['/', '~', '.', '$', '\\'])
}

/// Whether the text holds digits or odd capitals.
fn is_random(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit()) || is_mixed(text)
}

/// Whether capitals and small letters are mixed as no word does it.
fn is_mixed(text: &str) -> bool {
    text.bytes().skip(1).any(|b| b.is_ascii_uppercase()) && text.bytes().any(|b| b.is_ascii_lowercase())
}

/// Whether nothing is left but the places of removed secrets, and a line end or the host of a URL behind them.
fn is_marker(text: &str) -> bool {
    let marked = markers(text);
    let rest = text.get(marked..).unwrap_or_default();
    marked > 0 && (rest.starts_with('@') || rest.replace(r"\n", "").trim().is_empty())
}

/// Whether the value is masked already, or only punctuation: `****`, `xxxx`, `},{`.
fn is_mask(text: &str) -> bool {
    let punctuation = |c: char| matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | ',' | ':' | ';' | ' ' | '+' | '.' | '*' | '•' | '_');
    text.chars().all(punctuation) || text.bytes().all(|b| matches!(b, b'x' | b'X'))
}

/// Whether the value is a word that says there is none: `required`, `[REDACTED]`, `your_api_key`.
fn is_placeholder(text: &str) -> bool {
    let word = text.trim_matches(['[', ']', '<', '>', '(', ')', '*', '!']);
    names(HARMLESS, word) || ["your_", "your-", "yourpassw"].iter().any(|start| starts_with(word, start))
}

/// Whether the value is filled in later: `$NAME`, `${NAME}`, `{name}`, `<your-key>`, `%s`, `%NAME%`. A default within is no
/// placeholder: `${NAME:-secret}`.
fn is_template(text: &str) -> bool {
    let named =
        |inner: &str| !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' '));
    let between = |open: &str, close: &str| text.strip_prefix(open).is_some_and(|inner| named(inner.strip_suffix(close).unwrap_or(inner)));
    let upper = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    between("${", "}")
        || between("{", "}")
        || between("<", ">")
        || text.strip_prefix('$').is_some_and(upper)
        || text.strip_prefix('%').and_then(|rest| rest.strip_suffix('%')).is_some_and(upper)
}

/// Whether the value is fetched and not there itself.
fn is_code(text: &str) -> bool {
    is_call(text) || is_name(text) || starts_with_one(FETCHES, text)
}

/// Whether the value is a call, an index or a generic type: a name followed by a bracket.
fn is_call(text: &str) -> bool {
    let name = text.bytes().take_while(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.' | b':')).count();
    name > 0 && text.get(name..).is_some_and(|rest| rest.starts_with(['(', '[', '<']))
}

/// Whether the value is the name of another setting: `accessToken`, `signing_key`, `vault.password`.
fn is_name(text: &str) -> bool {
    const LAST: &[&str] = &["key", "token", "password", "passwd", "secret"];
    let name = text.trim_end_matches(['!', '?']);
    let plain = name.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.'));
    let last = LAST.iter().find_map(|last| {
        let at = name.len().checked_sub(last.len())?;
        name.get(at..)?.eq_ignore_ascii_case(last).then_some(at)
    });
    let joined = |at: usize| match name.as_bytes().get(at.saturating_sub(1)..=at) {
        Some([b'_' | b'.', _]) => true,
        Some([before, first]) => before.is_ascii_lowercase() && first.is_ascii_uppercase(),
        _ => false,
    };
    plain && last.is_some_and(joined)
}

fn starts_with_one(list: &str, text: &str) -> bool {
    list.split_ascii_whitespace().any(|start| starts_with(text, start))
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}
