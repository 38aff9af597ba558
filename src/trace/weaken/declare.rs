//! Which lines declare a test or a suite, in each language.

use super::lang::Lang;
use super::mask::Text;
use super::util::{closing, cut, has_any, has_word, is_word, word_at};

/// What a line declares.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) suite: bool,
    pub(super) skipped: bool,
    pub(super) only: bool,
}

impl Declared {
    fn plain(name: &str, suite: bool) -> Option<Self> {
        (!name.is_empty()).then(|| Self { name: name.to_owned(), suite, skipped: false, only: false })
    }
}

/// How far behind a declaration's beginning its name is looked for.
const NAME_REACH: usize = 400;

/// Whether a line is a decorator, attribute or annotation that belongs to what follows.
pub(super) fn decorates(lang: Lang, bare: &str) -> bool {
    let bare = bare.trim();
    match lang {
        Lang::Python | Lang::Jvm => bare.starts_with('@'),
        Lang::Rust | Lang::Php => bare.starts_with("#["),
        Lang::CSharp => bare.starts_with('['),
        _ => false,
    }
}

/// What a line declares. `head` is the first line of its decorators.
pub(super) fn declared(text: &Text<'_>, line: usize, head: usize) -> Option<Declared> {
    let (code, bare) = (text.code(line), text.bare(line));
    match text.lang {
        Lang::Python => python(bare),
        Lang::Js => script(text, line),
        Lang::Rust => rust(text, bare, line, head),
        Lang::Go => go(bare),
        Lang::Jvm => jvm(text, bare, line, head).or_else(|| script(text, line)),
        Lang::CSharp => csharp(text, bare, line, head),
        Lang::Ruby => ruby(code, bare),
        Lang::Php => php(text, bare, line, head).or_else(|| script(text, line)),
        Lang::C => c_like(code, bare),
        Lang::Shell => shell(code),
        Lang::Keyed | Lang::Json | Lang::Other => None,
    }
}

/// The word at the beginning.
fn word(text: &str) -> &str {
    cut(text, 0, text.bytes().take_while(|b| is_word(*b)).count())
}

/// The decorators of a line and the line itself.
fn head_text<'t>(text: &'t Text<'_>, line: usize, head: usize) -> &'t str {
    let (from, to) = (text.lines.get(head), text.lines.get(line));
    from.zip(to).map_or("", |(f, t)| cut(&text.bare, f.start, t.end))
}

fn python(bare: &str) -> Option<Declared> {
    let bare = bare.trim_start();
    let bare = bare.strip_prefix("async ").unwrap_or(bare);
    if let Some(rest) = bare.strip_prefix("def ") {
        let name = word(rest.trim_start());
        return name.to_ascii_lowercase().starts_with("test").then(|| Declared::plain(name, false)).flatten();
    }
    let name = word(bare.strip_prefix("class ")?.trim_start());
    (name.starts_with("Test") || name.ends_with("Test") || name.ends_with("Tests") || name.ends_with("TestCase"))
        .then(|| Declared::plain(name, true))
        .flatten()
}

/// `it('…')`, `test.each(…)('…')`, `describe.skip("…")`, `Deno.test(`, and what Pest and Kotest took over from them.
fn script(text: &Text<'_>, line: usize) -> Option<Declared> {
    let start = text.lines.get(line)?.start;
    let bare_line = text.bare(line);
    let lead = bare_line.len() - bare_line.trim_start().len();
    let trimmed = bare_line.trim_start();
    let (await_len, trimmed) = trimmed.strip_prefix("await ").map_or((0, trimmed), |rest| (6, rest));
    let (deno_len, trimmed) = trimmed.strip_prefix("Deno.").map_or((0, trimmed), |rest| (5, rest));
    let first = word(trimmed);
    let (suite, mut skipped, mut only) = match first {
        "it" | "test" | "specify" | "testWidgets" => (false, false, false),
        "xit" | "xtest" | "xspecify" => (false, true, false),
        "fit" => (false, false, true),
        "describe" | "context" | "suite" => (true, false, false),
        "xdescribe" | "xcontext" => (true, true, false),
        "fdescribe" | "fcontext" => (true, false, true),
        _ => return None,
    };
    let mut at = start + lead + await_len + deno_len + first.len();
    let limit = (at + 8_192).min(text.bare.len());
    // Modifiers: `.only`, `.skip`, `.each(…)`, `` .each`…` ``.
    loop {
        let rest = cut(&text.bare, at, limit);
        if let Some(modifier) = rest.strip_prefix('.').map(word).filter(|m| !m.is_empty()) {
            skipped |= matches!(modifier, "skip" | "todo" | "fixme" | "failing" | "fails" | "skipIf" | "runIf");
            only |= modifier == "only";
            at += 1 + modifier.len();
            let takes = matches!(modifier, "each" | "for" | "skipIf" | "runIf" | "extend" | "if");
            let after = cut(&text.bare, at, limit);
            if takes && after.starts_with('(') {
                at = closing(&text.bare, at)? + 1;
            } else if takes && after.starts_with('`') {
                at += 2 + cut(after, 1, after.len()).find('`')?;
            }
        } else {
            break;
        }
    }
    let rest = cut(&text.bare, at, (at + NAME_REACH).min(text.bare.len()));
    let inner = rest.strip_prefix('(')?;
    let blank = inner.len() - inner.trim_start().len();
    let name_at = at + 1 + blank;
    let quote = text.bare.as_bytes().get(name_at).copied()?;
    let name = if matches!(quote, b'"' | b'\'' | b'`') {
        let len = text.bare.as_bytes().get(name_at + 1..)?.iter().take(NAME_REACH).position(|b| *b == quote)?;
        cut(&text.code, name_at + 1, name_at + 1 + len)
    } else if quote == b'{' || first == "context" || first == "suite" || text.lang != Lang::Js {
        return None;
    } else {
        // A name from a variable. `test.skip(condition)` inside a test declares nothing.
        let name = inner.trim_start().split([',', ')', '\n']).next()?.trim();
        if skipped || !inner.contains("=>") && !inner.contains("function") {
            return None;
        }
        name
    };
    let options = text.code(line);
    skipped |=
        has_any(options, &["skip: true", "skip: '", "skip: \"", "skip:true", "todo: true", "todo: '", "todo: \""]) && options.contains('{');
    only |= options.contains("only: true");
    Some(Declared { name: name.to_owned(), suite, skipped, only })
}

fn rust(text: &Text<'_>, bare: &str, line: usize, head: usize) -> Option<Declared> {
    let name = word(cut(bare, word_at(bare, "fn")? + 3, bare.len()).trim_start());
    let head = head_text(text, line, head);
    let attributed = has_any(
        head,
        &[
            "#[test",
            "::test]",
            "::test(",
            "#[rstest",
            "#[wasm_bindgen_test",
            "#[quickcheck",
            "#[apply(",
            "#[googletest",
            "#[ktest",
            "#[gpui",
        ],
    );
    attributed.then(|| Declared::plain(name, false)).flatten()
}

fn go(bare: &str) -> Option<Declared> {
    let rest = bare.trim_start().strip_prefix("func ")?;
    let rest = if rest.starts_with('(') { cut(rest, rest.find(')')? + 1, rest.len()).trim_start() } else { rest };
    let name = word(rest);
    (name.starts_with("Test") || name.starts_with("Fuzz") || name.starts_with("Example")).then(|| Declared::plain(name, false)).flatten()
}

/// The name before the first `(` outside the annotations.
fn method_name(bare: &str) -> &str {
    let bare = bare.trim();
    if let Some((_, rest)) = bare.split_once('`') {
        return rest.split('`').next().unwrap_or("");
    }
    // Annotations on the same line come first and may have brackets of their own.
    let mut from = 0;
    while matches!(bare.as_bytes().get(from), Some(b'@' | b'[')) {
        let line = cut(bare, from, bare.len());
        let word_end = line.bytes().skip(1).take_while(|b| is_word(*b) || *b == b'.').count() + 1;
        let open = if line.starts_with('[') { Some(0) } else { line.as_bytes().get(word_end).filter(|b| **b == b'(').map(|_| word_end) };
        let end = open.and_then(|o| closing(line, o)).map_or(word_end, |c| c + 1);
        from += end;
        from += cut(bare, from, bare.len()).bytes().take_while(u8::is_ascii_whitespace).count();
    }
    let rest = cut(bare, from, bare.len());
    let Some(paren) = rest.find('(') else { return "" };
    let before = cut(rest, 0, paren).trim_end();
    let len = before.bytes().rev().take_while(|b| is_word(*b)).count();
    if before.len() == len { "" } else { cut(before, before.len() - len, before.len()) }
}

fn class_name(bare: &str) -> &str {
    let Some(at) = word_at(bare, "class") else { return "" };
    let before = cut(bare, 0, at);
    if before.contains(['(', '"', '=', '.']) && !before.trim_start().starts_with(['@', '[']) {
        ""
    } else {
        word(cut(bare, at + 5, bare.len()).trim_start())
    }
}

fn jvm(text: &Text<'_>, bare: &str, line: usize, head: usize) -> Option<Declared> {
    let class = class_name(bare);
    if !class.is_empty() {
        return Declared::plain(class, true);
    }
    if !bare.contains('(') || bare.trim_end().ends_with(';') {
        return None;
    }
    let name = method_name(bare);
    let annotated = has_any(head_text(text, line, head), &["@Test", "@ParameterizedTest", "@RepeatedTest", "@Property", "@org.junit"]);
    let junit3 = name.starts_with("test") && has_word(bare, "void") && has_word(bare, "public");
    (annotated || junit3).then(|| Declared::plain(name, false)).flatten()
}

fn csharp(text: &Text<'_>, bare: &str, line: usize, head: usize) -> Option<Declared> {
    let class = class_name(bare);
    if !class.is_empty() {
        return Declared::plain(class, true);
    }
    let head = head_text(text, line, head);
    let attributed = has_any(
        head,
        &[
            "[Fact",
            "[Theory",
            "[Test]",
            "[Test(",
            "[Test,",
            "[TestMethod",
            "[TestCase",
            "[DataTestMethod",
            "[SkippableFact",
            "[SkippableTheory",
        ],
    );
    (attributed && bare.contains('(')).then(|| Declared::plain(method_name(bare), false)).flatten()
}

fn ruby(code: &str, bare: &str) -> Option<Declared> {
    let trimmed = bare.trim_start();
    if let Some(rest) = trimmed.strip_prefix("def ") {
        return word(rest).starts_with("test_").then(|| Declared::plain(word(rest), false)).flatten();
    }
    if let Some(rest) = trimmed.strip_prefix("class ") {
        let name = word(rest);
        return name.contains("Test").then(|| Declared::plain(name, true)).flatten();
    }
    let trimmed = trimmed.strip_prefix("RSpec.").unwrap_or(trimmed);
    let first = word(trimmed);
    let (suite, skipped, only) = match first {
        "it" | "specify" | "test" | "scenario" | "example" => (false, false, false),
        "xit" | "xspecify" | "xscenario" | "xexample" => (false, true, false),
        "fit" | "fspecify" => (false, false, true),
        "describe" | "context" | "feature" => (true, false, false),
        "xdescribe" | "xcontext" => (true, true, false),
        "fdescribe" | "fcontext" => (true, false, true),
        _ => return None,
    };
    if !has_word(bare, "do") && !bare.contains('{') {
        return None;
    }
    let rest = cut(trimmed, first.len(), trimmed.len()).trim_start_matches([' ', '(']);
    let at = bare.len() - rest.len();
    let quote = rest.as_bytes().first().copied()?;
    let name = if matches!(quote, b'"' | b'\'') {
        let len = rest.bytes().skip(1).position(|b| b == quote)?;
        cut(code, at + 1, at + 1 + len)
    } else if matches!(quote, b'{' | b'd') {
        // `it { is_expected.to … }` is named by what it says.
        code.trim()
    } else {
        rest.split([',', ' ']).next().unwrap_or("")
    };
    let marked = |key: &str| has_any(code, &[&format!("{key}: true"), &format!("{key}: '"), &format!("{key}: \""), &format!(", :{key}")]);
    Some(Declared { name: name.to_owned(), suite, skipped: skipped || marked("skip") || marked("pending"), only: only || marked("focus") })
}

fn php(text: &Text<'_>, bare: &str, line: usize, head: usize) -> Option<Declared> {
    let class = class_name(bare);
    if class.ends_with("Test") {
        return Declared::plain(class, true);
    }
    let name = word(cut(bare, word_at(bare, "function")? + 9, bare.len()).trim_start());
    let documented = || {
        (1..=6).any(|back| {
            line.checked_sub(back).is_some_and(|l| text.raw(l).contains("@test"))
                && (1..back).all(|b| text.bare(line - b).trim().is_empty())
        })
    };
    (name.starts_with("test") || head_text(text, line, head).contains("#[Test") || documented())
        .then(|| Declared::plain(name, false))
        .flatten()
}

fn c_like(code: &str, bare: &str) -> Option<Declared> {
    let trimmed = bare.trim_start();
    let name = word(trimmed);
    let rest = cut(trimmed, name.len(), trimmed.len());
    if !rest.starts_with('(') || rest.trim_end().ends_with(';') {
        return None;
    }
    let open = bare.len() - rest.len();
    let arguments = cut(code, open + 1, closing(bare, open).unwrap_or(code.len()));
    let catch = matches!(name, "TEST_CASE" | "SCENARIO" | "TEMPLATE_TEST_CASE" | "BOOST_AUTO_TEST_CASE" | "TEST_CASE_METHOD");
    let google = matches!(name, "TEST" | "TEST_F" | "TEST_P" | "TYPED_TEST" | "TYPED_TEST_P" | "START_TEST");
    if catch {
        let (title, tags) = arguments.split_once(',').unwrap_or((arguments, ""));
        let skipped = has_any(tags, &["[.", "[!mayfail]", "[!shouldfail]", "[!hide]", "skip("]);
        return Some(Declared { name: title.trim().trim_matches('"').to_owned(), suite: false, skipped, only: false });
    }
    google.then(|| {
        let skipped = arguments.contains("DISABLED_");
        let parts: Vec<&str> = arguments.split(',').map(str::trim).collect();
        Declared { name: parts.join(".").replace("DISABLED_", ""), suite: false, skipped, only: false }
    })
}

fn shell(code: &str) -> Option<Declared> {
    let rest = code.trim_start().strip_prefix("@test ")?.trim_start();
    let quote = rest.chars().next()?;
    let name = if matches!(quote, '"' | '\'') { rest.split(quote).nth(1)? } else { rest.split(' ').next()? };
    Declared::plain(name, false)
}
