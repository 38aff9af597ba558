//! Claims that are calls: `assertEquals(3, f())`, `expect(x).toBe(3)`, `x.Should().Be(3)`, `EXPECT_EQ(a, b)`.

use super::arguments::from_arguments;
use super::chains::{chain, ruby_chain};
use super::{ClaimKind, Claimed, rate};
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::Text;
use crate::trace::weaken::util::{closing, cut, is_word, split_top};

/// What a call is.
enum Form {
    /// `expect(x).matcher(y)`.
    Chain,
    /// `name(…)` that claims something about its arguments.
    Call,
    /// `x.Should().Be(y)`.
    Should,
    /// `mock.assert_called_with(…)`: about its receiver.
    Receiver,
    /// `request(app).get('/').expect(200)`.
    Link,
    Helper,
}

/// Methods of testify's suites and of AVA's and tap's `t`.
const T_METHODS: &[&str] = &[
    "is",
    "not",
    "deepEqual",
    "notDeepEqual",
    "true",
    "false",
    "truthy",
    "falsy",
    "equal",
    "ok",
    "same",
    "strictSame",
    "throws",
    "throwsAsync",
    "notThrows",
    "regex",
    "like",
    "snapshot",
    "match",
    "notOk",
    "Equal",
    "NotEqual",
    "NoError",
    "True",
    "False",
    "Nil",
    "NotNil",
    "Len",
    "Contains",
    "NotContains",
    "Error",
    "ErrorIs",
    "ErrorContains",
    "EqualError",
    "Empty",
    "NotEmpty",
    "JSONEq",
    "ElementsMatch",
    "Panics",
];
/// Wrappers whose arguments hold the real assertions.
const WRAPPERS: &[&str] = &["assertAll", "assertSoftly", "assert_all", "Multiple", "assertions", "hasAssertions"];

/// The claims that begin on a line.
pub(super) fn claims(text: &Text<'_>, line: usize) -> Vec<Claimed> {
    let Some(span) = text.lines.get(line) else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = span.start;
    while at < span.end {
        let Some(open) = cut(&text.bare, at, span.end).find('(').map(|i| at + i) else { break };
        at = open + 1;
        let (name, name_at) = name_before(&text.bare, span.start, open);
        let Some(form) = form(text, name, receiver(&text.bare, span.start, name_at)) else { continue };
        let Some(close) = closing(&text.bare, open) else { break };
        let (mut here, end) = read(text, &form, name, name_at, span.start, open, close);
        let last = text.line_of(end.saturating_sub(1).max(open));
        for c in &mut here {
            (c.first, c.last) = (line, last);
        }
        found.append(&mut here);
        at = end.max(at);
    }
    // `expect { pay }.to raise_error`
    let braced = cut(&text.bare, span.start, span.end)
        .find("expect {")
        .map(|i| span.start + i + "expect ".len())
        .filter(|_| text.lang == Lang::Ruby);
    if let Some((open, close)) = braced.and_then(|open| closing(&text.bare, open).map(|close| (open, close))) {
        let (claim, end) = ruby_chain(text, text.canon(open + 1, close), close + 1);
        found.extend(claim.map(|c| Claimed { first: line, last: text.line_of(end.saturating_sub(1)), ..c }));
    }
    // `is_expected.to be_valid` has no brackets at all.
    if found.is_empty() && text.lang == Lang::Ruby && text.bare(line).contains("is_expected.") {
        let from = span.start + text.bare(line).find("is_expected.").unwrap_or(0) + "is_expected".len();
        let (claim, _) = ruby_chain(text, "is_expected".to_owned(), from);
        found.extend(claim.map(|c| Claimed { first: line, last: line, ..c }));
    }
    found
}

/// The name before a bracket, over `!` and over type arguments: `assert_eq!(`, `Throws<X>(`.
fn name_before(bare: &str, from: usize, open: usize) -> (&str, usize) {
    let before = cut(bare, from, open);
    let mut end = before.len();
    if before.ends_with('>') {
        end = before.rfind('<').unwrap_or(end);
    }
    let body = cut(before, 0, end);
    let stem = body.strip_suffix('!').unwrap_or(body);
    let len = stem.bytes().rev().take_while(|b| is_word(*b)).count();
    (cut(before, stem.len() - len, body.len()), from + stem.len() - len)
}

/// The word before a name's dot, or nothing.
fn receiver(bare: &str, from: usize, name_at: usize) -> Option<&str> {
    let before = cut(bare, from, name_at);
    let stem = before.strip_suffix("::").or_else(|| before.strip_suffix("->")).or_else(|| before.strip_suffix('.'))?;
    let len = stem.bytes().rev().take_while(|b| is_word(*b)).count();
    Some(cut(stem, stem.len() - len, stem.len()))
}

fn form(text: &Text<'_>, name: &str, receiver: Option<&str>) -> Option<Form> {
    if name.is_empty() || WRAPPERS.contains(&name) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let asserts = lower.starts_with("assert");
    let own = match text.lang {
        Lang::Python => match receiver {
            None | Some("self") if name == "expect" => Some(Form::Chain),
            _ if lower.starts_with("assert_called")
                || lower.starts_with("assert_not_called")
                || lower.starts_with("assert_any_call")
                || lower.starts_with("assert_has_calls")
                || lower.starts_with("assert_awaited") =>
            {
                Some(Form::Receiver)
            }
            _ if asserts => Some(Form::Call),
            _ => None,
        },
        Lang::Js => match (name, receiver) {
            ("expect", None | Some("chai" | "vi" | "jest")) => Some(Form::Chain),
            ("expect", Some(_)) => Some(Form::Link),
            ("should", Some(_)) => Some(Form::Link),
            ("assert" | "strict", None) | (_, Some("assert" | "strict")) => Some(Form::Call),
            (m, Some("t")) if T_METHODS.contains(&m) => Some(Form::Call),
            _ if asserts => Some(Form::Call),
            _ => None,
        },
        Lang::Rust => (name.ends_with('!') && (lower.contains("assert"))).then_some(Form::Call),
        Lang::Go => match receiver {
            Some("assert" | "require") => Some(Form::Call),
            Some("s" | "suite") | Some("") if T_METHODS.contains(&name) => Some(Form::Call),
            _ => None,
        },
        Lang::Jvm => match name {
            "assertThat" | "verify" | "expectThat" | "assertThatThrownBy" => Some(Form::Chain),
            _ => asserts.then_some(Form::Call),
        },
        Lang::CSharp => match (name, receiver) {
            ("Should", Some(_)) => Some(Form::Should),
            (_, Some("Assert" | "CollectionAssert" | "StringAssert")) => Some(Form::Call),
            _ => None,
        },
        Lang::Ruby => match name {
            "expect" => Some(Form::Chain),
            _ => (asserts || lower.starts_with("refute")).then_some(Form::Call),
        },
        Lang::Php => match name {
            "expect" => Some(Form::Chain),
            _ => (asserts || lower.starts_with("expectexception")).then_some(Form::Call),
        },
        Lang::C => {
            let known = [
                "EXPECT_",
                "ASSERT_",
                "REQUIRE",
                "CHECK",
                "TEST_ASSERT",
                "BOOST_CHECK",
                "BOOST_REQUIRE",
                "CU_ASSERT",
                "ck_assert",
                "XCTAssert",
            ];
            (known.iter().any(|k| name.starts_with(k)) || name == "assert").then_some(Form::Call)
        }
        Lang::Shell | Lang::Keyed | Lang::Json | Lang::Other => None,
    };
    own.or_else(|| is_helper(name).then_some(Form::Helper))
}

/// `check_invoice(…)`, `verifyOrder(…)`: helpers that may hold assertions.
fn is_helper(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    ["check", "verify", "expect", "validate", "ensure", "assert"].iter().any(|verb| {
        let rest = name.get(verb.len()..).filter(|_| name.get(..verb.len()).is_some_and(|n| n.eq_ignore_ascii_case(verb)));
        rest.is_some_and(|r| r.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()))
    }) && name != "check_output"
        && name != "check_call"
}

fn read(text: &Text<'_>, form: &Form, name: &str, name_at: usize, line_start: usize, open: usize, close: usize) -> (Vec<Claimed>, usize) {
    let before = |at: usize| text.canon(line_start, at.max(line_start)).trim_end_matches(['.', '?']).to_owned();
    match form {
        Form::Chain if text.lang == Lang::Ruby => {
            let (claim, end) = ruby_chain(text, text.canon(open + 1, close), close + 1);
            (claim.into_iter().collect(), end)
        }
        Form::Chain => {
            let subject = text.canon(open + 1, close);
            let (claim, end) = chain(text, name, subject, close + 1);
            match claim {
                Some(c) => (vec![c], end),
                // `assertThat(x, is(3))` is a plain call.
                None => (from_arguments(text, name, "", open + 1, close), close + 1),
            }
        }
        Form::Should => {
            let subject = before(name_at);
            let (claim, end) = chain(text, name, subject, close + 1);
            (claim.into_iter().collect(), end)
        }
        Form::Receiver => {
            let lower = name.to_ascii_lowercase();
            let claim = Claimed {
                subject: before(name_at),
                strength: if lower.contains("not") { 3 } else { rate::strength(&lower) },
                matcher: lower,
                expected: text.canon(open + 1, close),
                ..Claimed::default()
            };
            (vec![claim], close + 1)
        }
        Form::Link => {
            let arguments = split_top(cut(&text.bare, open + 1, close), b',');
            let parts: Vec<String> = arguments.iter().map(|(a, b)| text.canon(open + 1 + a, open + 1 + b)).collect();
            let (what, expected) = if parts.len() > 1 {
                (parts.first().cloned().unwrap_or_default(), parts.get(1..).unwrap_or_default().join(","))
            } else {
                (String::new(), parts.concat())
            };
            (
                vec![Claimed {
                    subject: format!("{}.{name}:{what}", before(name_at)),
                    matcher: "equal".to_owned(),
                    expected,
                    strength: 3,
                    ..Claimed::default()
                }],
                close + 1,
            )
        }
        Form::Call => {
            let generic = cut(&text.code, name_at + name.len(), open).trim_matches(['<', '>']).to_owned();
            (from_arguments(text, name, &generic, open + 1, close), close + 1)
        }
        Form::Helper => {
            let claim = Claimed {
                kind: Some(ClaimKind::Helper),
                subject: text.canon(open + 1, close),
                matcher: name.to_owned(),
                strength: 3,
                ..Claimed::default()
            };
            (vec![claim], close + 1)
        }
    }
}
