//! How much a matcher demands.

/// 0 to 3 by a matcher's name in lower case without underscores; see [`super::Claim::strength`].
pub(super) fn strength(name: &str) -> u8 {
    let any = |needles: &[&str]| needles.iter().any(|n| name.contains(n));
    if any(&["throw", "raise", "panic", "reject", "noerror", "succeed", "nothrow", "fail"]) {
        3
    } else if any(&[
        "defined", "notnull", "notnil", "notnone", "exist", "instance", "typeof", "ofsize", "beok", "present", "notempty", "some",
    ]) {
        1
    } else if any(&[
        "contain",
        "include",
        "match",
        "greater",
        "less",
        "length",
        "len",
        "size",
        "count",
        "close",
        "almost",
        "approx",
        "near",
        "start",
        "end",
        "property",
        "key",
        "attribute",
        "truthy",
        "falsy",
        "member",
        "subset",
        "atleast",
        "atmost",
        "between",
    ]) {
        // An exact number of items or a stored snapshot leaves no room.
        if any(&["matchsnapshot", "matchinlinesnapshot", "haveattributes", "matcharray"]) { 3 } else { 2 }
    } else if any(&["called"]) {
        if any(&["with", "times", "once"]) { 3 } else { 2 }
    } else {
        3
    }
}

/// One form for what different matchers say alike: `assertTrue(x)`, `x is True`, `.toBe(true)`, `.toBeTruthy()`.
pub(super) fn normal(matcher: String, expected: String, negated: bool, strength: u8) -> (String, String, bool, u8) {
    let name = matcher.to_ascii_lowercase().replace('_', "");
    let bool_of = |v: &str| match v.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    let original = name.clone();
    let core = original
        .trim_start_matches("assert")
        .trim_start_matches("to")
        .trim_start_matches("is")
        .trim_start_matches("be")
        .trim_start_matches('.');
    let equality = matches!(name.as_str(), "==" | "===" | "is")
        || ["equal", "same", "eq", "tobe", "be", "eql", "strictequal"].iter().any(|e| core == *e || name.ends_with(e));
    // A matcher whose name says "not" is the negation of the other one.
    let (name, negated) = match name.as_str() {
        "!=" | "!==" => ("==".to_owned(), !negated),
        "notin" => ("in".to_owned(), !negated),
        n if n.contains("not") && !n.contains("nothrow") && !n.contains("notempty") && strength > 1 => (n.replacen("not", "", 1), !negated),
        n if n.starts_with("refute") => (n.replacen("refute", "assert", 1), !negated),
        _ => (name, negated),
    };
    let truth = match core {
        "true" | "truthy" | "ok" => Some(true),
        "false" | "falsy" | "falsey" => Some(false),
        _ if equality => bool_of(&expected),
        _ => None,
    };
    if let Some(truth) = truth {
        return ("true".to_owned(), (truth != negated).to_string(), false, 2);
    }
    let nothing = matches!(core, "null" | "nil" | "none" | "undefined" | "isnull" | "isnil")
        || equality && matches!(expected.as_str(), "None" | "null" | "nil" | "undefined" | "nullptr" | "NULL");
    if nothing || name == "isnot" && matches!(expected.as_str(), "None") {
        let negated = negated || name == "isnot";
        return ("==".to_owned(), "null".to_owned(), negated, if negated { 1 } else { 3 });
    }
    let name = if equality { "==".to_owned() } else { name };
    let strength = if negated && strength > 2 && name != "==" && !name.contains("throw") && !name.contains("raise") { 2 } else { strength };
    (name.clone(), expected, negated, if negated && name == "==" { 2 } else { strength })
}
