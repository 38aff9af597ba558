//! Secrets that stand in JSON as escapes.

use proptest::prelude::*;

use super::super::{UNSETTLED, redact};
use super::{becomes, body, join, stays};

/// Every `nth` character as an escape behind so many backslashes.
fn escaped(text: &str, nth: usize, slashes: usize) -> String {
    let mut out = String::new();
    for (k, c) in text.chars().enumerate() {
        if k % nth == 0 && !matches!(c, '"' | '\\') {
            out += &format!("{}u{:04x}", "\\".repeat(slashes), u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[test]
fn an_escaped_character_does_not_hide_a_secret() {
    becomes(r"mail user\u0040example.com now", "mail [email] now");
    becomes(r"mail user\\u0040example.com now", "mail [email] now");
    becomes(r"mail user\x40example.com now", "mail [email] now");
    becomes(r"in /home/\u00e9mile/work", "in ~/work");
    becomes(&format!(r"push with gh\u0070_{} now", body(36)), "push with [redacted:github] now");
    becomes(&format!(r#"{{"pass\u0077ord":"{}"}}"#, body(12)), r#"{"password":"[redacted:password]"}"#);
    becomes(&format!(r"https:\u002f\u002fdeploy:{}\u0040example.com/x", body(12)), "https://[redacted:url-credentials]@example.com/x");
}

#[test]
fn escapes_without_a_secret_stay_as_they_are() {
    stays(r#"{"detail":"a \u003c b \u0026\u0026 c \u2192 d"}"#);
    stays(r"C:\work\x41 \u001b[31mred\u001b[0m \u202e");
    stays(r"expected \u0040app.route");
}

/// A chain of escapes that each make the next one is no reason to work for ever.
#[test]
fn a_bottomless_chain_is_dropped() {
    let chain = format!("\\u005c{}0040", "u005c".repeat(10_000));
    assert_eq!(redact(&chain), UNSETTLED);
}

proptest! {
    #[test]
    fn however_much_of_a_secret_is_escaped_it_goes(which in 0_usize..6, nth in 1_usize..9, slashes in 1_usize..4, before in "[a-z ]{0,20}") {
        let secret = match which {
            0 => join(&["gh", "p_", &body(36)]),
            1 => join(&["sk", "-ant-", &body(30)]),
            2 => join(&["AK", "IA", "Q7WERTYUIOP2ASDF"]),
            3 => join(&["quentin.longname", "@", "example.com"]),
            4 => join(&["eyJ", &body(20), ".", &body(20)]),
            _ => join(&["https://deploy:", &body(12), "@example.com/x"]),
        };
        let told = &secret[secret.len().min(8)..secret.len().min(14)];
        let text = format!("{before} {} end", escaped(&secret, nth, slashes));
        let clean = redact(&text).into_owned();
        prop_assert!(clean.contains('['), "{text} -> {clean}");
        prop_assert!(!clean.contains(told), "{text} -> {clean}");
        prop_assert!(!clean.contains(&escaped(&secret, nth, slashes)), "{text} -> {clean}");
        prop_assert_eq!(redact(&clean), clean.as_str());
    }
}
