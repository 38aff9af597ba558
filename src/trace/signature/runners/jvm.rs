//! Maven, Gradle and JUnit's own output.

use super::super::Stage;
use super::super::text::{byte, digits_end, find, first_token, has, starts_ci};
use super::{Family, Follow, Hit, Tier, after_id, before, is_identifier, place};

/// Lines of `[ERROR]` that Maven prints on every failure.
const BOILERPLATE: [&[u8]; 12] = [
    b"Failed to execute goal",
    b"To see the full stack trace",
    b"Re-run Maven",
    b"For more information",
    b"-> [Help",
    b"[Help",
    b"There are test failures",
    b"Please refer to",
    b"COMPILATION ERROR",
    b"Failures:",
    b"Errors:",
    b"After correcting",
];

/// `[ERROR] …`
pub(super) fn maven(t: &[u8]) -> Option<Hit> {
    let rest = t.strip_prefix(b"[ERROR]")?.trim_ascii();
    if rest.is_empty() || rest.starts_with(b"Tests run:") || BOILERPLATE.iter().any(|b| starts_ci(rest, &b.to_ascii_lowercase())) {
        return Some(Hit::loose(Family::Error, Tier::Wrapper, t));
    }
    if let Some(hit) = surefire(t, rest) {
        return Some(hit);
    }
    if let Some(place) = place(rest).filter(|p| has(p.file, b"/") || has(p.file, b"\\")) {
        return Some(Hit::fault(Family::Jvm, Stage::Compile, t, place.file, &[], place.rest));
    }
    // `LoginTest.testLogin:23 expected:<200> but was:<401>`
    let (token, message) = first_token(rest);
    if let Some(colon) = find(token, b":")
        && digits_end(token, colon + 1) > colon + 1
    {
        let id = before(token, b":").filter(|id| is_identifier(id) && has(id, b"."))?;
        return Some(Hit::test(Family::Jvm, 2, t, id).message(t, message));
    }
    Some(Hit::loose(Family::Error, Tier::Loose, t))
}

/// `com.x.LoginTest.testLogin  Time elapsed: 0.01 s  <<< FAILURE!`, with or without `[ERROR]`.
pub(super) fn surefire<'a>(line: &'a [u8], rest: &'a [u8]) -> Option<Hit> {
    if rest.starts_with(b"Tests run:") || !(rest.ends_with(b"<<< FAILURE!") || rest.ends_with(b"<<< ERROR!")) {
        return None;
    }
    let at = find(rest, b" Time elapsed:").or_else(|| find(rest, b" -- Time elapsed:"))?;
    let id = rest.get(..at)?.trim_ascii();
    let id = id.strip_suffix(b"--").unwrap_or(id).trim_ascii();
    Some(Hit::test(Family::Jvm, 3, line, id).follow(Follow::NextLine))
}

/// Gradle: `LoginTest > testLogin() FAILED`, `> Task :test FAILED`.
pub(super) fn gradle(t: &[u8]) -> Option<Hit> {
    let body = t.strip_suffix(b" FAILED")?;
    if body.starts_with(b"> Task ") || body.starts_with(b"Execution of") || body == b"BUILD" {
        return Some(Hit::loose(Family::Error, Tier::Wrapper, t));
    }
    let joined = has(body, b" > ") && byte(body, 0) != b'>';
    joined.then(|| Hit::test(Family::Jvm, 3, t, body).message(t, after_id(&[])).follow(Follow::NextLine))
}
