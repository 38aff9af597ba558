//! Claims that take a whole line rather than a call: `assert x`, `if got != want { t.Errorf(…) }`, `[ "$x" = y ]`.

use super::{ClaimKind, Claimed, arguments, assignment, expression, rate};
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::Text;
use crate::trace::weaken::util::{balance, closing, cut, find_top, has_any, split_top, word_at};

/// So many lines at most belong to one statement.
const STATEMENT: usize = 60;
/// How far above a failing call its condition may stand.
const CONDITION_REACH: usize = 12;
/// Names that say that they hold what is expected.
const EXPECTED_NAMES: &[&str] = &[
    "want",
    "wanted",
    "expected",
    "expect",
    "exp",
    "wanterr",
    "golden",
    "expectedoutput",
    "expectedresult",
    "expectedstatus",
    "expectedvalue",
];

/// The claims that begin with a line.
pub(super) fn claims(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let found = match text.lang {
        Lang::Python => python(text, line),
        Lang::Go => go(text, line),
        Lang::Ruby => ruby(text, line),
        Lang::Jvm => infix(text, line),
        Lang::Shell => shell(text, line),
        _ => Vec::new(),
    };
    if !found.is_empty() {
        return found;
    }
    let panics = raising_attribute(text, line);
    panics.or_else(|| expected(text, line)).into_iter().collect()
}

/// `#[should_panic(expected = "…")]`, `@Test(expected = X.class)`: the test as a whole is to fail.
fn raising_attribute(text: &Text<'_>, line: usize) -> Option<Claimed> {
    let trimmed = text.code(line).trim();
    let rest = match text.lang {
        Lang::Rust => trimmed.strip_prefix("#[should_panic")?,
        Lang::Jvm => trimmed.strip_prefix("@Test(").filter(|r| r.contains("expected"))?,
        _ => return None,
    };
    let expected = rest.split_once('=').map_or("", |(_, e)| e).trim().trim_end_matches([')', ']']).to_owned();
    Some(Claimed {
        subject: "raises:test".to_owned(),
        matcher: "raises".to_owned(),
        expected,
        strength: 3,
        first: line,
        last: line,
        ..Claimed::default()
    })
}

/// The last line of the statement that begins with a line, and the offset of its end.
pub(super) fn statement_end(text: &Text<'_>, line: usize) -> (usize, usize) {
    let mut depth = 0;
    for i in line..(line + STATEMENT).min(text.lines.len()) {
        let bare = text.bare(i);
        depth += balance(bare);
        let end = text.lines.get(i).map_or(0, |l| l.end);
        let string_goes_on = text.lines.get(i + 1).is_some_and(|l| l.inside);
        if depth <= 0 && !bare.trim_end().ends_with('\\') && !string_goes_on {
            return (i, end);
        }
    }
    (line, text.lines.get(line).map_or(0, |l| l.end))
}

fn placed(mut claims: Vec<Claimed>, first: usize, last: usize) -> Vec<Claimed> {
    for c in &mut claims {
        (c.first, c.last) = (first, last);
    }
    claims
}

/// The first line with code below a line, in canonical spelling.
fn next_code(text: &Text<'_>, line: usize) -> String {
    (line + 1..(line + 6).min(text.lines.len())).find(|i| !text.idle(*i)).map(|i| text.canon_line(i)).unwrap_or_default()
}

fn python(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let bare = text.bare(line);
    let trimmed = bare.trim_start();
    let Some(start) = text.lines.get(line).map(|l| l.start + (bare.len() - trimmed.len())) else { return Vec::new() };
    if trimmed.starts_with("assert ") || trimmed.starts_with("assert(") {
        let (last, end) = statement_end(text, line);
        let from = start + "assert".len();
        let parts = split_top(cut(&text.bare, from, end), b',');
        let to = parts.first().map_or(end, |p| from + p.1);
        return placed(expression::claims(text, from, to), line, last);
    }
    if trimmed.starts_with("with ") || trimmed.starts_with("async with ") {
        for name in ["raises", "assertRaises", "assertRaisesRegex", "warns", "assertWarns", "assertLogs", "assertRaisesMessage"] {
            let Some(at) = word_at(bare, name).map(|at| at + name.len()) else { continue };
            let Some(close) = closing(bare, at).filter(|_| cut(bare, at, at + 1) == "(") else { continue };
            let offset = text.lines.get(line).map_or(0, |l| l.start);
            let arguments = text.canon(offset + at + 1, offset + close);
            let claim = Claimed {
                subject: format!("raises:{}", next_code(text, line)),
                matcher: "raises".to_owned(),
                expected: arguments,
                strength: 3,
                ..Claimed::default()
            };
            return placed(vec![claim], line, line);
        }
    }
    Vec::new()
}

/// Go's tests have no assertions: a failing call under a condition is one, turned round.
fn go(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let bare = text.bare(line);
    let fails = |l: &str| has_any(l, &["t.Error(", "t.Errorf(", "t.Fatal(", "t.Fatalf(", "t.Fail()", "t.FailNow()", "tb.Fatal", "b.Fatal"]);
    let trimmed = bare.trim_start();
    if trimmed.starts_with("if ") || trimmed.starts_with("} else if ") {
        // Looks ahead: does the first statement under the condition fail the test?
        let body = (line + 1..(line + 1 + CONDITION_REACH).min(text.lines.len())).find(|i| !text.idle(*i));
        let own = fails(trimmed);
        let Some(body) = body.filter(|i| fails(text.bare(*i))).or(own.then_some(line)) else { return Vec::new() };
        let Some(start) = text.lines.get(line).map(|l| l.start) else { return Vec::new() };
        let from = word_at(bare, "if").map_or(0, |i| i + 2);
        let to = find_top(cut(bare, from, bare.len()), "{").map_or(bare.len(), |i| from + i);
        // `if got := f(); got != 3 {`: the call is part of what is looked at.
        let condition = cut(bare, from, to);
        let semicolon = split_top(condition, b';').last().map_or(0, |p| p.0);
        let call = if semicolon > 0 { text.canon(start + from, start + from + semicolon) } else { String::new() };
        let mut found = Vec::new();
        let mut at = from + semicolon;
        loop {
            let rest = cut(bare, at, to);
            let end = find_top(rest, " || ").map_or(to, |i| at + i);
            let mut claim = turned(expression::comparison(Lang::Go, cut(text.code(line), at, end), cut(bare, at, end)));
            claim.subject.insert_str(0, &call);
            found.push(claim);
            if end >= to {
                break;
            }
            at = end + 4;
        }
        // What the standard library does first only prepares the test.
        if ["os.", "io.", "ioutil.", "filepath.", "json.", "exec.", "strings.", "bytes.", "time.", "http.", "sql."]
            .iter()
            .any(|p| call.split_once('=').is_some_and(|(_, c)| c.starts_with(p)))
        {
            found.iter_mut().for_each(|c| c.kind = Some(ClaimKind::Helper));
        }
        let (last, _) = statement_end(text, body);
        return placed(found, line, last.max(body));
    }
    if fails(trimmed) && (trimmed.starts_with("t.") || trimmed.starts_with("tb.") || trimmed.starts_with("b.")) {
        let (last, _) = statement_end(text, line);
        // Messages change freely, so only the call itself is compared.
        let subject = trimmed.split('(').next().unwrap_or("").to_owned();
        return placed(vec![Claimed { subject, matcher: "fail".to_owned(), strength: 3, ..Claimed::default() }], line, last);
    }
    Vec::new()
}

/// What must hold, from what makes the test fail.
fn turned(mut claim: Claimed) -> Claimed {
    match claim.matcher.as_str() {
        "!=" => (claim.matcher, claim.strength) = ("==".to_owned(), 3),
        "==" => (claim.matcher, claim.strength) = ("!=".to_owned(), 2),
        "<" => claim.matcher = ">=".to_owned(),
        ">" => claim.matcher = "<=".to_owned(),
        "<=" => claim.matcher = ">".to_owned(),
        ">=" => claim.matcher = "<".to_owned(),
        _ => claim.negated = !claim.negated,
    }
    claim
}

/// `assert_equal 3, f(x)` and `x.should eq 3`, without brackets.
fn ruby(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let bare = text.bare(line);
    let trimmed = bare.trim_start();
    let name = cut(trimmed, 0, trimmed.bytes().take_while(|b| crate::trace::weaken::util::is_word(*b)).count());
    if !(name.starts_with("assert") || name.starts_with("refute")) || !cut(trimmed, name.len(), trimmed.len()).starts_with(' ') {
        return Vec::new();
    }
    let (last, end) = statement_end(text, line);
    let from = text.lines.get(line).map_or(0, |l| l.start) + (bare.len() - trimmed.len()) + name.len();
    placed(arguments::from_arguments(text, name, "", from, end), line, last)
}

/// `x shouldBe y`.
fn infix(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let bare = text.bare(line);
    let Some(at) = find_top(bare, " should") else { return Vec::new() };
    let rest = cut(bare, at + 1, bare.len());
    let name = cut(rest, 0, rest.bytes().take_while(|b| crate::trace::weaken::util::is_word(*b)).count());
    if !rest.get(name.len()..).is_some_and(|r| r.starts_with(' ')) || name == "should" && cut(rest, 7, 8) != "b" {
        return Vec::new();
    }
    let start = text.lines.get(line).map_or(0, |l| l.start);
    let (last, end) = statement_end(text, line);
    let matcher = name.trim_start_matches("should").to_ascii_lowercase();
    let claim = Claimed {
        subject: text.canon(start, start + at),
        strength: rate::strength(&matcher),
        matcher,
        expected: text.canon(start + at + 1 + name.len(), end),
        ..Claimed::default()
    };
    placed(vec![claim], line, last)
}

/// `[ "$status" -eq 0 ]` and the `assert_*` helpers of bats.
fn shell(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let (code, bare) = (text.code(line).trim(), text.bare(line).trim());
    let one = |claim: Claimed| placed(vec![claim], line, line);
    if code.starts_with("[ ") || code.starts_with("[[ ") || code.starts_with("test ") {
        // With a command behind it the test is a condition.
        let tail = bare.rsplit_once(']').map_or("", |(_, tail)| tail).trim();
        if !(tail.is_empty() || has_any(tail, &["exit 1", "return 1", "false", "fail", "die"])) {
            return Vec::new();
        }
        let inner = code.trim_start_matches("test ").trim_start_matches('[').split(" ]").next().unwrap_or("").trim();
        for (token, name, strength) in [
            (" -eq ", "==", 3),
            (" == ", "==", 3),
            (" = ", "==", 3),
            (" -ne ", "!=", 2),
            (" != ", "!=", 2),
            (" =~ ", "=~", 2),
            (" -ge ", ">=", 2),
            (" -gt ", ">", 2),
            (" -le ", "<=", 2),
            (" -lt ", "<", 2),
        ] {
            if let Some((left, right)) = inner.split_once(token) {
                let plain = |v: &str| v.trim().trim_matches('"').to_owned();
                let right = right.trim();
                let quoted =
                    if right.starts_with('"') || right.starts_with('\'') { right.replace('\'', "\"") } else { format!("\"{right}\"") };
                return one(Claimed { subject: plain(left), matcher: name.to_owned(), expected: quoted, strength, ..Claimed::default() });
            }
        }
        return one(Claimed {
            subject: inner.to_owned(),
            matcher: "true".to_owned(),
            expected: "true".to_owned(),
            strength: 2,
            ..Claimed::default()
        });
    }
    let name = code.split_whitespace().next().unwrap_or("");
    if name.starts_with("assert_") || name.starts_with("refute_") || matches!(name, "assert" | "refute") {
        let rest = code.get(name.len()..).unwrap_or("").trim().replace('\'', "\"");
        let looser = rest.contains("--partial") || rest.contains("--regexp") || rest.starts_with("-p ");
        return one(Claimed {
            subject: name.to_owned(),
            matcher: if looser { "partial" } else { "equal" }.to_owned(),
            expected: rest,
            strength: if looser { 2 } else { 3 },
            ..Claimed::default()
        });
    }
    Vec::new()
}

/// `want := 3`, `expected: 3,`, `const EXPECTED = "x"`: named expectations.
fn expected(text: &Text<'_>, line: usize) -> Option<Claimed> {
    let bare = text.bare(line);
    let (at, value) = assignment(bare).or_else(|| field(bare))?;
    let left = cut(text.code(line), 0, at);
    let name = left.split([':', '.']).next()?.trim().trim_matches(['"', '\'']).split_whitespace().last()?;
    let name = name.trim_matches(['"', '\'', '{', '&', '*']);
    if !EXPECTED_NAMES.contains(&name.to_ascii_lowercase().replace('_', "").as_str()) {
        return None;
    }
    let start = text.lines.get(line)?.start;
    let (last, end) = statement_end(text, line);
    let expected = text.canon(start + value, end);
    (!expected.is_empty()).then(|| Claimed {
        kind: Some(ClaimKind::Expected),
        subject: format!("={name}"),
        matcher: "==".to_owned(),
        expected,
        strength: 3,
        first: line,
        last,
        ..Claimed::default()
    })
}

/// A field of a literal: `want: 3,`, `"expected": 3`.
fn field(bare: &str) -> Option<(usize, usize)> {
    let at = find_top(bare, ":").filter(|_| !bare.contains('(') || bare.find('(') > bare.find(':'))?;
    let after = cut(bare, at + 1, bare.len());
    (!after.starts_with(':') && !after.trim().is_empty() && !after.trim().starts_with('{')).then_some((at, at + 1))
}
