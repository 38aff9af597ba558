//! Hashes, UUIDs and the ids that services give their calls.

use super::super::text::{byte, cut, is_word, run, starts_ci, tail, word_end};
use super::{DIGIT, HEX_LOWER, HEX_UPPER, Scan};

/// English words of hex letters only. With a number behind (`decade2`, `cafe2024`) they are still names, not hashes.
const WORDS: [&[u8]; 27] = [
    b"add",
    b"bad",
    b"bed",
    b"dad",
    b"cab",
    b"ace",
    b"fed",
    b"fee",
    b"bee",
    b"dead",
    b"deaf",
    b"face",
    b"fade",
    b"feed",
    b"cafe",
    b"bead",
    b"beef",
    b"deed",
    b"babe",
    b"cede",
    b"faced",
    b"added",
    b"faded",
    b"facade",
    b"decade",
    b"deadbeef",
    b"feedback",
];

/// Ids by their first part. The flag: any tail makes an id; without it the tail must look drawn by lot, since
/// `call_order` and `msg_type` are names.
const PREFIXES: [(&[u8], bool); 13] = [
    (b"toolu_", true),
    (b"chatcmpl_", true),
    (b"call_", false),
    (b"req_", false),
    (b"request_", false),
    (b"msg_", false),
    (b"resp_", false),
    (b"run_", false),
    (b"thread_", false),
    (b"session_", false),
    (b"ses_", false),
    (b"fc_", false),
    (b"rs_", false),
];

impl Scan<'_> {
    /// A word of hex letters and digits that begins with a letter.
    pub(super) fn hexlike(&mut self, start: usize, end: usize, kinds: u8) {
        if self.uuid(start) {
            return;
        }
        if is_hash(cut(self.src, start, end), kinds) && self.hash_may_stand(start, end) {
            self.replace(start, end, b"<hash>");
        }
    }

    /// A short hash inside a file name is part of the name; a long one never is.
    pub(super) fn hash_may_stand(&self, start: usize, end: usize) -> bool {
        if end - start >= 16 {
            return true;
        }
        let joins = |b: u8| matches!(b, b'-' | b'/' | b'\\' | b'.');
        let before = self.before(start);
        let joined_before = joins(before) && start.checked_sub(1) == Some(self.name_end);
        let next = self.at(end + 1);
        let joined_after = joins(self.at(end)) && (is_word(next) || next == b'<');
        !joined_before && !joined_after
    }

    /// 8-4-4-4-12 hex digits at `start`.
    pub(super) fn uuid(&mut self, start: usize) -> bool {
        let mut at = start;
        for (n, len) in [8, 4, 4, 4, 12].into_iter().enumerate() {
            if n > 0 {
                if self.at(at) != b'-' {
                    return false;
                }
                at += 1;
            }
            if !cut(self.src, at, at + len).iter().all(u8::is_ascii_hexdigit) || self.src.len() < at + len {
                return false;
            }
            at += len;
        }
        if is_word(self.at(at)) {
            return false;
        }
        self.replace(start, at, b"<uuid>");
        true
    }

    /// A word with `_` in it: a call id, or something that ends in the first part of a UUID.
    pub(super) fn underscored(&mut self, start: usize, end: usize) {
        if self.at(end) == b'-' && end - start > 8 && self.at(end - 9) == b'_' && self.uuid(end - 8) {
            return;
        }
        let word = cut(self.src, start, end);
        if !matches!(byte(word, 0), b't' | b'c' | b'r' | b'm' | b's' | b'f') {
            return;
        }
        let Some(&(prefix, any)) = PREFIXES.iter().find(|(p, _)| word.starts_with(p)) else {
            return;
        };
        let rest = tail(word, prefix.len());
        if (any && !rest.is_empty()) || rest.split(|&b| b == b'_').any(is_drawn) {
            self.replace(start, end, b"<id>");
        }
    }

    /// `chatcmpl-9f…`, with its further hyphens.
    pub(super) fn hyphen_id(&mut self, start: usize, end: usize) {
        if starts_ci(tail(self.src, start), b"chatcmpl-") && is_word(self.at(end + 1)) {
            let stop = run(self.src, end, |b| is_word(b) || b == b'-');
            self.replace(start, stop, b"<id>");
        }
    }

    /// A hash after a word that announces one (`commit 1234567`) may be digits only.
    pub(super) fn announced_hash(&self, start: usize, end: usize) -> bool {
        let len = end - start;
        (7..=64).contains(&len)
            && matches!(self.word_before(start), b"commit" | b"Commit" | b"sha" | b"SHA" | b"revision" | b"rev" | b"HEAD")
    }
}

/// 7 to 64 hex digits of one case, with both letters and digits, and no word with a number behind it.
pub(super) fn is_hash(word: &[u8], kinds: u8) -> bool {
    let letters = kinds & (HEX_LOWER | HEX_UPPER);
    if !(7..=64).contains(&word.len()) || kinds & DIGIT == 0 || letters == 0 || letters == HEX_LOWER | HEX_UPPER {
        return false;
    }
    // `BC30451` is an error code: capitals are a hash only when letters and digits alternate.
    if letters == HEX_UPPER && changes(word) < 3 {
        return false;
    }
    let head = run(word, 0, |b| !b.is_ascii_digit());
    if head < 3 {
        return true;
    }
    let name = cut(word, 0, head);
    let tail_is_digits = tail(word, head).iter().all(u8::is_ascii_digit);
    let numbered_word = tail_is_digits && word.len() < 16 && WORDS.contains(&name);
    !numbered_word && !face_to_face(word)
}

/// Does a part of an id look drawn by lot: long, and digits among its letters?
fn is_drawn(part: &[u8]) -> bool {
    let digits = part.iter().filter(|b| b.is_ascii_digit()).count();
    if digits == part.len() {
        return digits >= 4;
    }
    if part.len() < 8 || digits == 0 {
        return false;
    }
    let lower = part.iter().any(u8::is_ascii_lowercase);
    let upper = part.iter().any(u8::is_ascii_uppercase);
    (lower && upper && part.len() >= 12) || (digits >= 2 && changes(part) >= 3)
}

/// How often letters give way to digits or the other way round.
pub(super) fn changes(word: &[u8]) -> usize {
    word.windows(2).filter(|w| byte(w, 0).is_ascii_digit() != byte(w, 1).is_ascii_digit()).count()
}

/// `face2face`: a word, one digit, a word.
fn face_to_face(word: &[u8]) -> bool {
    let head = run(word, 0, |b| !b.is_ascii_digit());
    WORDS.contains(&cut(word, 0, head)) && WORDS.contains(&tail(word, head + 1)) && word_end(word, 0) == word.len()
}
