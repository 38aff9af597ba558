//! Lines of a key, which nothing but their letters tells.

/// Whether a line is the body of a key, whose BEGIN and END stand on other lines: nothing but 40 or more characters of
/// base64, which change their class (capital, small, digit) as often as only random ones do.
///
/// A hash has letters of one case, a long identifier is small letters for the most part, a path has many slashes.
pub(super) fn is_key_material(line: &str) -> bool {
    const LEAST: usize = 40;
    let line = line.trim_matches([' ', '"', '\'', '`', ',', '␍', '…']);
    let line = line.strip_suffix("\\n").unwrap_or(line);
    let body = line.trim_end_matches('=').as_bytes();
    if line.len() < LEAST || line.len() - body.len() > 2 || !body.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/')) {
        return false;
    }
    let has = |class: fn(&u8) -> bool| body.iter().any(class);
    let all_kinds = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(|b| !b.is_ascii_alphabetic());
    let slashes = body.iter().filter(|b| **b == b'/').count();
    let class = |b: u8| (b.is_ascii_uppercase(), b.is_ascii_lowercase(), b.is_ascii_digit());
    // Keys hold stretches of zeros (`AAAA`), which say nothing.
    let (mut pairs, mut changes) = (0, 0);
    for (a, b) in body.iter().zip(body.iter().skip(1)).filter(|(a, b)| a != b && **a != b'/' && **b != b'/') {
        pairs += 1;
        changes += usize::from(class(*a) != class(*b));
    }
    let small = body.iter().filter(|b| b.is_ascii_lowercase()).count();
    // Of random characters 64 in 100 pairs change and 41 in 100 are small letters; the bounds are three deviations off at 40.
    all_kinds && slashes * 10 <= body.len() && changes * 100 >= pairs * 38 && small * 100 <= body.len() * 65
}

#[cfg(test)]
mod tests {
    use super::super::excerpt;

    /// Base64 of bytes from a multiplicative generator, in a line of that length.
    fn base64(seed: u64, length: usize) -> String {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(DIGITS[usize::try_from(state >> 58).unwrap()])
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn lines_of_a_key_are_removed() {
        for seed in 1..200 {
            for line in [base64(seed, 64), base64(seed, 76), format!("{}==", base64(seed, 70))] {
                assert_eq!(excerpt(line.as_bytes(), 200), "[redacted:private-key]", "{line}");
                assert_eq!(excerpt(format!("  \"{line}\",\r\n").as_bytes(), 200), "[redacted:private-key]", "{line}");
            }
        }
        let lines = format!("see\n{}\n{}\nend", base64(3, 64), base64(5, 64));
        assert_eq!(excerpt(lines.as_bytes(), 200), "see⏎[redacted:private-key]⏎[redacted:private-key]⏎end");
        // The head of a key in OpenSSH's form: `openssh-key-v1`, the ciphers' names and lengths, of which most bytes are zero.
        let head = ["b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9u", "ZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"].concat();
        assert_eq!(excerpt(head.as_bytes(), 200), "[redacted:private-key]");
        assert_eq!(excerpt(base64(7, 100_000).as_bytes(), 200), "[redacted:private-key]");
    }

    #[test]
    fn hashes_names_and_paths_are_no_keys() {
        for line in [
            "3f2a9bc4d5e6f708192a3b4c5d6e7f8091a2b3c4",
            "3F2A9BC4D5E6F708192A3B4C5D6E7F8091A2B3C4",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "testParserHandlesUtf8InputWhenTheBufferIsTooSmall2",
            "TestReconcilerRetriesHTTP503ResponsesFromUpstreamServers",
            "com/example/billing/InvoiceServiceIntegrationTest2/shouldRoundHalfEven",
            "Projects/App2/Src/Views/Main/List/Item/Cell/Base",
            "src/report/redact/tests/properties/generated/module42",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "1234567890123456789012345678901234567890",
            "thirtytwoandmorelettersthatareallsmallandnothingelse",
            "========================================================",
        ] {
            assert_eq!(excerpt(line.as_bytes(), 200), line);
        }
    }
}
