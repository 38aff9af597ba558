//! What holds for any text.

use std::borrow::Cow;

use proptest::prelude::*;

use super::super::{ROUNDS, engine, redact, shapes};
use super::{body, join};

/// Text made of what the shapes look for, so that matches touch, nest and cut each other.
fn suspicious() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(
            shapes::SHAPES.iter().flat_map(|shape| shape.triggers.iter().copied()).collect::<Vec<_>>()
        ).prop_map(str::to_owned),
        4 => proptest::sample::select(vec![
            "=", ":", ": ", "\"", "'", "\\\"", "\\n", "\n", " ", "@", "/", "\\", "-", "--", "&", ";", ",", "]", "[", "}", ".com",
            "[redacted:x]", "[email]", "~", "://", "u:p@", "\\u0040", "\\\\u005c", "u0041", "\\x7e", "\\u0022", "BEGIN ", "-----", "SECRET_TOKEN", "/home/dev", "Users", "⏎", "é",
        ]).prop_map(str::to_owned),
        2 => "[A-Za-z0-9]{1,14}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_shape_misses_a_trigger(text in suspicious()) {
        prop_assert_eq!(engine::unseen(&text), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn redacting_twice_changes_nothing(text in suspicious()) {
        let once = redact(&text);
        let twice = redact(&once);
        prop_assert!(matches!(twice, Cow::Borrowed(_)), "{text:?} -> {once:?} -> {twice:?}");
    }

    #[test]
    fn text_settles_long_before_the_limit(text in suspicious()) {
        let mut rounds = 0;
        let mut now = text.clone();
        while let Some(next) = engine::round(&now) {
            rounds += 1;
            now = next;
        }
        prop_assert!(rounds <= ROUNDS / 2, "{rounds} rounds for {text:?}");
    }

    #[test]
    fn words_are_borrowed(text in "([a-z]{1,5}[ .,:=]){0,30}") {
        // None of the triggers can be written with five letters and these separators, but for these.
        prop_assume!(!["pwd", "key", "token", "auth", "curl", "mysql", "phras", "sg.", "hvs.", "hvb.", "asia", "akia", "aiza",
            "abia", "acca", ":aa", "eyj", "login", "sig="].iter().any(|word| text.contains(word)));
        prop_assert!(matches!(redact(&text), Cow::Borrowed(_)));
    }

    #[test]
    fn a_token_goes_wherever_it_stands(before in "[ -~]{0,60}", after in "[^A-Za-z0-9][ -~]{0,60}", length in 12_usize..60) {
        let text = format!("{before} {}{}{after}", join(&["gh", "p_"]), body(length));
        prop_assert!(!redact(&text).contains(&body(12)));
    }

    #[test]
    fn a_password_goes_whatever_it_holds(value in "[!-~]{3,30}", quoted in any::<bool>()) {
        let secret = format!("k7{}", value.replace(['"', '\'', '`', '\\', '<', '|', '&', ';', ','], "x"));
        let quote = if quoted { "\"" } else { "" };
        let text = format!("DB_{}={quote}{secret}{quote} next", join(&["PASS", "WORD"]));
        let cleaned = redact(&text);
        prop_assert!(!cleaned.contains("k7"), "{text} -> {cleaned}");
    }
}
