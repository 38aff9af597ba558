//! Small helpers over byte offsets that cannot panic.

/// How far a bracket's partner is searched. Real assertions are far shorter; the cap keeps the work linear.
const REACH: usize = 8_192;
/// The longest line that is kept as evidence, in characters.
const EVIDENCE: usize = 160;

/// A slice that is empty where the offsets make no sense.
pub(super) fn cut(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or("")
}

/// A letter, digit or underscore; bytes of other scripts count as letters.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// FNV-1a: the hashes stay within one call, so nothing better is needed.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// The offset of the bracket that closes the one at `open`, where it is within reach.
pub(super) fn closing(bare: &str, open: usize) -> Option<usize> {
    let bytes = bare.as_bytes();
    let mut depth = 0_i32;
    for (i, b) in bytes.iter().enumerate().skip(open).take(REACH) {
        match b {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth <= 0 {
                    return (depth == 0).then_some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Opening brackets less closing ones.
pub(super) fn balance(bare: &str) -> i32 {
    bare.bytes().fold(0, |n, b| match b {
        b'(' | b'[' | b'{' => n + 1,
        b')' | b']' | b'}' => n - 1,
        _ => n,
    })
}

/// The ranges between the separators that stand outside all brackets.
pub(super) fn split_top(bare: &str, separator: u8) -> Vec<(usize, usize)> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0_i32, 0);
    for (i, b) in bare.bytes().enumerate() {
        match b {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ if b == separator && depth == 0 => {
                parts.push((from, i));
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push((from, bare.len()));
    parts
}

/// The offset of a token outside all brackets.
pub(super) fn find_top(bare: &str, token: &str) -> Option<usize> {
    let first = token.as_bytes().first().copied()?;
    let mut depth = 0_i32;
    for (i, b) in bare.bytes().enumerate() {
        if depth == 0 && b == first && bare.get(i..).is_some_and(|rest| rest.starts_with(token)) {
            return Some(i);
        }
        match b {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a word stands in the text with no letter, digit or underscore beside it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    word_at(text, word).is_some()
}

/// Where a word stands in the text with no letter, digit or underscore beside it.
pub(super) fn word_at(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    let bytes = text.as_bytes();
    let edge = |at: Option<usize>| at.and_then(|i| bytes.get(i)).is_none_or(|b| !is_word(*b));
    memchr::memmem::find_iter(bytes, word.as_bytes()).find(|&i| edge(i.checked_sub(1)) && edge(Some(i + word.len())))
}

/// Whether any of the needles is in the text.
pub(super) fn has_any(text: &str, needles: &[&str]) -> bool {
    needles.iter().any(|n| text.contains(n))
}

/// The words of a text: runs of letters, digits and underscores.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

/// A line as it is shown for evidence.
pub(super) fn evidence(line: &str) -> String {
    line.trim().chars().filter(|c| !c.is_control()).take(EVIDENCE).collect()
}

/// The last part of a path, for both kinds of slash.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
