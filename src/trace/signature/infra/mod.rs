//! Failures of the surroundings: network, provider, disk, access. They say nothing about the code, so an iteration that fails in
//! this way has no verdict. An assertion that *speaks* of such a failure is an ordinary red.

mod phrases;
mod speech;

use super::text::{byte, cut, digits_end, has, is_word, tail};

/// What in the surroundings failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Infra {
    /// Refused, reset or timed-out connections, names that do not resolve.
    Network,
    /// Certificates and handshakes.
    Tls,
    /// A service answered 5xx or said that it is overloaded.
    Server,
    /// 429, a rate or usage limit, an exhausted quota.
    RateLimit,
    /// A package registry or repository could not be reached.
    Registry,
    /// No space or quota left.
    Disk,
    /// Killed from outside, most often for want of memory.
    Killed,
    /// Out of memory, file handles, file watchers or processes.
    System,
    /// The container daemon does not answer.
    Docker,
    /// The agent, or a command that it was to run, could not be used: no permission, no credential, no such command.
    Access,
}

impl Infra {
    /// A stable short name for outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Tls => "tls",
            Self::Server => "server",
            Self::RateLimit => "rate_limit",
            Self::Registry => "registry",
            Self::Disk => "disk",
            Self::Killed => "killed",
            Self::System => "system_limits",
            Self::Docker => "docker",
            Self::Access => "access",
        }
    }
}

use Infra::{Access, Disk, Killed, Network, Registry, Server, System, Tls};
use phrases::{INDEX, PHRASES};

/// Marks of a package registry: a network fault beside one of them is the registry's.
const REGISTRIES: [&[u8]; 9] =
    [b"npm err", b"registry", b"npmjs", b"crates.io", b"pypi", b"pip ", b"proxy.golang.org", b"repo.maven", b"rubygems"];

const RATE_LIMITS: [&[u8]; 4] = [b"rate limit", b"rate-limit", b"rate_limit", b"ratelimit"];

/// Longest part of a line that is looked at; a failure of the surroundings says so early or at the very end.
const HEAD: usize = 768;
const TAIL: usize = 256;

/// Which failure of the surroundings a line reports; `None` also where it only speaks of one in an assertion.
pub(super) fn find(line: &[u8]) -> Option<Infra> {
    lowered(line, |low| find_lower(low).map(|(kind, _)| kind))
}

/// The same for words that a test's author wrote, a title or a panic's message: they have to *be* the outage's own report,
/// and not a sentence about one.
pub(super) fn find_bare(words: &[u8]) -> Option<Infra> {
    lowered(words, |low| find_lower(low).filter(|(_, at)| !speech::is_sentence(low, *at)).map(|(kind, _)| kind))
}

/// What `f` says of the line in lower case.
fn lowered<T>(line: &[u8], f: impl Fn(&[u8]) -> T) -> T {
    const SHORT: usize = 96;
    if line.len() <= SHORT {
        return f(lower(line, &[], &mut [0; SHORT]));
    }
    let mut buf = [0; HEAD + TAIL];
    if line.len() <= buf.len() {
        return f(lower(line, &[], &mut buf));
    }
    f(lower(cut(line, 0, HEAD), tail(line, line.len() - TAIL), &mut buf))
}

/// Both parts in lower case in `buf`, which is long enough.
fn lower<'a>(head: &[u8], end: &[u8], buf: &'a mut [u8]) -> &'a [u8] {
    for (to, from) in buf.iter_mut().zip(head.iter().chain(end)) {
        *to = from.to_ascii_lowercase();
    }
    cut(buf, 0, head.len() + end.len())
}

/// What failed, and where the line says so.
fn find_lower(low: &[u8]) -> Option<(Infra, usize)> {
    let (found, at) = scan(low)?;
    if asserts(low) || (found == Server && is_local(low)) {
        return None;
    }
    if found == Disk && has(low, b"file watchers") {
        return Some((System, at));
    }
    let remote = matches!(found, Network | Tls | Server);
    Some((if remote && REGISTRIES.iter().any(|r| has(low, r)) { Registry } else { found }, at))
}

fn scan(low: &[u8]) -> Option<(Infra, usize)> {
    let mut i = 0;
    while i < low.len() {
        let b = byte(low, i);
        if !is_word(b) {
            i += 1;
            continue;
        }
        let rest = tail(low, i);
        if b.is_ascii_lowercase() {
            let letter = usize::from(b - b'a');
            let range = usize::from(byte(&INDEX, letter))..usize::from(byte(&INDEX, letter + 1));
            // The second letter rules out most without a call.
            let second = byte(rest, 1);
            let phrases = PHRASES.get(range).unwrap_or_default();
            if let Some((_, kind)) = phrases.iter().find(|(p, _)| byte(p, 1) == second && rest.starts_with(p)) {
                return Some((*kind, i));
            }
            if let Some(kind) = special(low, i, rest) {
                return Some((kind, i));
            }
        } else if b.is_ascii_digit()
            && let Some(kind) = status(low, i)
        {
            return Some((kind, i));
        }
        i = super::text::word_end(low, i).max(i + 1);
    }
    None
}

/// Words that are too common to mean anything without company.
fn special(low: &[u8], at: usize, rest: &[u8]) -> Option<Infra> {
    let with = |words: &[&[u8]]| words.iter().any(|w| has(low, w));
    match byte(rest, 0) {
        b'o' if rest.starts_with(b"overloaded") => {
            // `call of overloaded 'f(int)'` is C++.
            let short = low.iter().filter(|b| **b == b' ').count() < 3;
            let code = with(&[b"function", b"operator", b"method", b"call of", b"overloaded '"]);
            (!code && (short || with(&[b"api", b"server", b"model", b"529", b"503", b"request", b"try again"]))).then_some(Server)
        }
        b'r' => {
            let after = RATE_LIMITS.iter().find_map(|p| rest.strip_prefix(*p))?;
            let said = after.trim_ascii().is_empty()
                || [&b"ed"[..], b"error", b"_error"].iter().any(|w| after.starts_with(w))
                || with(&[b"exceed", b"reached", b" hit", b"retry", b"429", b"too many", b"try again"]);
            // A rate limiter is a piece of the program.
            (said && (!after.starts_with(b"er") || after.starts_with(b"error"))).then_some(Infra::RateLimit)
        }
        b'c' if rest.starts_with(b"command not found") => no_command(low, at).then_some(Access),
        b'n' if rest.trim_ascii_end() == b"not found" => from_shell(low, true).then_some(Access),
        b'i' if rest.starts_with(b"invalid api key") => {
            // By itself it may be what the program under test answers.
            with(&["·".as_bytes(), b"/login"]).then_some(Access)
        }
        b'p' if rest.starts_with(b"permission to use") => with(&[b"denied", b"not granted"]).then_some(Access),
        b'a' | b'o' | b'g' if KEYS.iter().any(|k| rest.starts_with(k)) => {
            with(&[b"not set", b"missing", b"not found", b"is unset", b"is empty"]).then_some(Access)
        }
        b'u' if rest.starts_with(b"usage limit") => Some(Infra::RateLimit),
        b'l' if rest.starts_with(b"limit reached") => {
            with(&[b"hour", b"session", b"weekly", b"usage", b"api", b"claude"]).then_some(Infra::RateLimit)
        }
        b'e' if rest.starts_with(b"exit code 137") || rest.starts_with(b"exit status 137") => Some(Killed),
        // A shell's report of a killed process: `Killed`, or `line 1:  4711 Killed   python3 x.py`.
        b'k' if rest.starts_with(b"killed") => {
            let alone = rest.trim_ascii_end() == b"killed";
            let process = cut(low, 0, at).trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
            ((alone && at == 0) || (process && (alone || rest.starts_with(b"killed  ")))).then_some(Killed)
        }
        _ => None,
    }
}

/// The agents' own credentials.
const KEYS: [&[u8]; 3] = [b"anthropic_api_key", b"openai_api_key", b"gemini_api_key"];
const AGENTS: [&[u8]; 8] = [b"claude", b"codex", b"gemini", b"aider", b"opencode", b"cursor-agent", b"goose", b"amp"];
const SHELLS: [&[u8]; 7] = [b"bash", b"sh", b"zsh", b"dash", b"ksh", b"fish", b"env"];

/// A shell's word for a command that is not installed: `bash: pytest: command not found`, `zsh: command not found: pytest`.
/// In a script of the work it is the script's fault, unless what it looked for is an agent.
fn no_command(low: &[u8], at: usize) -> bool {
    let asked = cut(low, 0, at).trim_ascii_end();
    let asked = asked.strip_suffix(b":").unwrap_or(asked);
    let name = asked.iter().rposition(|b| matches!(b, b' ' | b'/')).map_or(asked, |p| tail(asked, p + 1));
    from_shell(low, false) || AGENTS.contains(&name)
}

/// Does the line begin with a shell's name? `numbered`: and a line's number, as in `sh: 1: jest: not found`.
fn from_shell(low: &[u8], numbered: bool) -> bool {
    let Some(colon) = low.iter().take(24).position(|b| *b == b':') else { return false };
    let head = cut(low, 0, colon);
    let name = head.iter().rposition(|b| *b == b'/').map_or(head, |p| tail(head, p + 1));
    let absolute = name.len() == head.len() || byte(head, 0) == b'/';
    let counted = tail(low, colon + 1).trim_ascii_start();
    absolute && SHELLS.contains(&name) && (!numbered || byte(counted, 0).is_ascii_digit())
}

/// What stands right before a status.
const STATUS: [&[u8]; 13] = [
    b"http",
    b"http/1.1",
    b"http/1.0",
    b"http/2",
    b"status",
    b"status code",
    b"status_code",
    b"statuscode",
    b"api error",
    b"error code",
    b"returned error",
    b"http error",
    b"response code",
];

/// 429 and 5xx, where the words around say that it is a status.
fn status(low: &[u8], at: usize) -> Option<Infra> {
    let end = digits_end(low, at);
    let number = cut(low, at, end);
    let kind = match number {
        b"429" => Infra::RateLimit,
        // The agent's own credential; a program's 401 is the program's.
        b"401" | b"403" => return cut(low, 0, at).trim_ascii_end().ends_with(b"api error:").then_some(Access),
        [b'5', _, _] => Server,
        _ => return None,
    };
    if is_word(byte(low, end)) {
        return None;
    }
    let mut before = cut(low, at.saturating_sub(24), at);
    while let [head @ .., b' ' | b':' | b'=' | b'(' | b'"'] = before {
        before = head;
    }
    // `exit status 1, 500 lines` has the word, but not right before the number.
    let said = before.len() < at && STATUS.iter().any(|w| before.ends_with(w)) && !before.ends_with(b"exit status");
    let after = tail(low, end).trim_ascii_start();
    let free = !matches!(byte(low, at.wrapping_sub(1)), b'.' | b'-' | b'_' | b'$' | b':');
    let reason = free
        && [&b"internal server"[..], b"bad gateway", b"service unav", b"gateway time", b"too many req", b"overloaded"]
            .iter()
            .any(|w| after.starts_with(w));
    (said || reason).then_some(kind)
}

/// Does the line assert something? Then what it names is a value that was compared and not what happened to the check.
fn asserts(low: &[u8]) -> bool {
    let mut before = b' ';
    low.iter().enumerate().any(|(at, &b)| {
        let inside = is_word(before);
        let blank = before == b' ';
        before = b;
        let words: &[&[u8]] = match b {
            _ if inside => return false,
            b'a' => &[b"assert"],
            b'b' => &[b"but was", b"but got"],
            b'e' => &[b"expected", b"expect(", b"expects "],
            b'm' => &[b"mismatch"],
            b'r' => &[b"raises", b"raised", b"raise "],
            b's' => &[b"should be", b"should return", b"should throw", b"should equal", b"should have", b"should not", b"should raise"],
            b't' => &[b"tobe", b"toequal", b"tothrow", b"tohave", b"tomatch", b"tostrictequal", b"thrown"],
            b'=' | b'!' if blank => &[b"== ", b"!= ", b"=== ", b"!== "],
            _ => return false,
        };
        let rest = tail(low, at);
        words.iter().any(|w| rest.starts_with(w))
    })
}

/// A 5xx from this very machine comes from the program under test.
fn is_local(low: &[u8]) -> bool {
    [&b"localhost"[..], b"127.0.0.1", b"0.0.0.0", b"[::1]"].iter().any(|h| has(low, h))
}
