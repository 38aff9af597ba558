//! Lists of what a check leaves out: ignored paths, excluded patterns, ignored rules.

use std::collections::HashMap;

use crate::trace::weaken::judge::is_usual;
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::Text;
use crate::trace::weaken::util::{base_name, closing, cut, evidence, has_any};
use crate::trace::weaken::{Weakening, WeakeningKind};

/// Keys of such lists.
const KEYS: &[&str] = &[
    "testPathIgnorePatterns",
    "modulePathIgnorePatterns",
    "coveragePathIgnorePatterns",
    "exclude",
    "excludes",
    "excludeFiles",
    "exclude_lines",
    "extend-exclude",
    "ignore",
    "extend-ignore",
    "per-file-ignores",
    "ignorePatterns",
    "ignores",
    "omit",
    "norecursedirs",
    "collect_ignore",
    "collect_ignore_glob",
    "disable",
    "disable_error_code",
    "testIgnore",
    "exclude_dirs",
    "skip",
    "disabled",
    "linters.disable",
    "allow",
    "paths-ignore",
    "Exclude",
    "suppress",
];
/// The longest list that is read, in lines.
const LONGEST: usize = 200;

/// One entry, with the line where it stands.
struct Entry {
    key: &'static str,
    value: String,
    line: usize,
}

/// New entries in lists of a configuration. With `tests_only` only those count that leave out tests by their path.
pub(super) fn compare(path: &str, old: &Text<'_>, new: &Text<'_>, tests_only: bool) -> Vec<Weakening> {
    let ignore_file = base_name(path).ends_with("ignore");
    let mut before: HashMap<String, usize> = HashMap::new();
    for e in entries(old, ignore_file) {
        *before.entry(format!("{}\u{1}{}", e.key, e.value)).or_default() += 1;
    }
    let mut found = Vec::new();
    for e in entries(new, ignore_file) {
        if let Some(n) = before.get_mut(&format!("{}\u{1}{}", e.key, e.value)).filter(|n| **n > 0) {
            *n -= 1;
            continue;
        }
        if leaves_out(path, e.key, &e.value, tests_only) {
            found.push(Weakening { kind: WeakeningKind::Narrowed, line: evidence(new.raw(e.line)), tests: Vec::new() });
        }
    }
    found
}

/// Whether an entry leaves out something that a check is there for.
fn leaves_out(path: &str, key: &str, value: &str, tests_only: bool) -> bool {
    let base = base_name(path);
    // Compilers and packagers leave tests out by pattern, and rightly so.
    let builds = base.starts_with("tsconfig")
        || base == "Cargo.toml"
        || base.ends_with(".csproj")
        || base == "package.json" && key != "testPathIgnorePatterns";
    if value.len() < 3 || is_usual(value) || builds && (value.contains('*') || value.contains("test") && !value.contains('.')) {
        return false;
    }
    let rule = value.len() <= 40 && !value.contains(['/', '*', ' ']) && {
        let code = value.bytes().take_while(u8::is_ascii_uppercase).count();
        // `E501`, `PLR0913`; `no-unused-vars`, `missing-docstring`, `arg-type`, `clippy::panic`.
        code > 0 && code < value.len() && value.bytes().skip(code).all(|b| b.is_ascii_digit())
            || value.contains("::")
            || matches!(key, "disable" | "disable_error_code" | "disabled")
                && value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':'))
    };
    if rule {
        return !tests_only && !matches!(key, "allow" | "skip" | "suppress");
    }
    // What looks like a path: a test, a source file, or a folder of them.
    let plain = value.trim_start_matches("<rootDir>").trim_start_matches(['/', '.', '^', '*']).replace("\\.", ".").replace("\\", "");
    let name = plain.trim_end_matches(['$', '/', '*']);
    let code = name.rsplit_once('.').is_some_and(|(_, e)| {
        matches!(e, "py" | "ts" | "tsx" | "js" | "jsx" | "rs" | "go" | "java" | "kt" | "cs" | "rb" | "php" | "c" | "cc" | "cpp" | "mjs")
    });
    let a_test = has_any(&plain, &["test_", "_test", ".test.", ".spec."]);
    if tests_only {
        return a_test
            && matches!(key, "testPathIgnorePatterns" | "collect_ignore" | "collect_ignore_glob" | "testIgnore" | "norecursedirs");
    }
    code || a_test
        || name.starts_with("tests/")
        || name.starts_with("test/")
        || name.starts_with("src/")
        || matches!(name, "tests" | "test" | "src")
}

fn entries(text: &Text<'_>, ignore_file: bool) -> Vec<Entry> {
    let mut found = Vec::new();
    if ignore_file {
        found.extend(
            (0..text.lines.len())
                .filter(|l| !text.raw(*l).trim().is_empty() && !text.raw(*l).trim_start().starts_with(['#', '!']))
                .map(|line| Entry { key: "ignore", value: text.raw(line).trim().to_owned(), line }),
        );
        return found;
    }
    let mut line = 0;
    while line < text.lines.len() {
        let bare = text.bare(line);
        let code = text.code(line);
        let hit = (!text.idle(line)).then(|| key_on(code, bare)).flatten();
        let Some((key, at)) = hit else {
            line += 1;
            continue;
        };
        let Some(span) = text.lines.get(line) else { break };
        let rest = cut(bare, at, bare.len());
        let open = rest
            .find(['[', '{', '('])
            .filter(|i| rest.get(..*i).is_some_and(|b| b.trim().is_empty() || b.trim_end().ends_with('=')))
            .map(|i| span.start + at + i);
        if let Some((open, close)) = open.and_then(|o| closing(&text.bare, o).map(|c| (o, c))) {
            collect(text, key, open + 1, close, &mut found);
            line = text.line_of(close).max(line) + 1;
            continue;
        }
        // `exclude = a, b` and the deeper lines below it.
        let mut lines = vec![(line, span.start + at, span.end)];
        let mut next = line + 1;
        while let Some(l) = text.lines.get(next).filter(|l| {
            next - line < LONGEST
                && l.end > l.start
                && (l.indent > span.indent
                    || l.indent == span.indent && text.lang == Lang::Keyed && text.code(next).trim_start().starts_with("- "))
        }) {
            if !text.idle(next) && text.bare(next).contains(": ") {
                break;
            }
            lines.push((next, l.start, l.end));
            next += 1;
        }
        for (line, from, to) in lines {
            for value in cut(&text.code, from, to).split([',', ' ', '\t', '|']).map(clean).filter(|v| !v.is_empty()) {
                found.push(Entry { key, value: value.to_owned(), line });
            }
        }
        line = next;
    }
    found
}

fn clean(value: &str) -> &str {
    value.trim().trim_start_matches("- ").trim_matches(['"', '\'', '[', ']', '(', ')', '-', '{', '}', ';', ':', '='])
}

/// The texts in quotes between two offsets, or the plain words where there are none.
fn collect(text: &Text<'_>, key: &'static str, from: usize, to: usize, found: &mut Vec<Entry>) {
    let code = cut(&text.code, from, to);
    let mut at = from;
    for piece in code.split(',') {
        let value = clean(piece.rsplit(['[', ':']).next().filter(|_| !piece.contains("::")).unwrap_or(piece));
        let line = text.line_of(at + (piece.len() - piece.trim_start().len()));
        if !value.is_empty() {
            found.push(Entry { key, value: value.to_owned(), line });
        }
        at += piece.len() + 1;
    }
}

/// A key on a line and where its value begins. Several keys may stand on one line, as in `test: { globals: true, exclude: […] }`.
fn key_on(code: &str, bare: &str) -> Option<(&'static str, usize)> {
    let starts = std::iter::once(0).chain(bare.match_indices(['{', ',']).map(|(at, _)| at + 1).take(LONGEST));
    starts
        .filter_map(|from| Some((from, code.get(from..)?, bare.get(from..)?)))
        .find_map(|(from, code, bare)| KEYS.iter().find_map(|k| value_at(code, bare, k).map(|at| (*k, from + at))))
}

/// Where the value of a key begins, if the line gives it one.
fn value_at(code: &str, bare: &str, key: &str) -> Option<usize> {
    let trimmed = code.trim_start();
    let lead = code.len() - trimmed.len();
    let quoted = trimmed.strip_prefix(['"', '\'']).map(|t| (t, 1)).unwrap_or((trimmed, 0));
    let dashed = quoted.0.strip_prefix("- ").map(|t| (t, quoted.1 + 2)).unwrap_or(quoted);
    let after = dashed.0.strip_prefix(key)?;
    let after_quote = after.strip_prefix(['"', '\'']).map(|a| (a, 1)).unwrap_or((after, 0));
    let sign = after_quote.0.trim_start();
    let blank = after_quote.0.len() - sign.len();
    let width = if sign.starts_with("+=") {
        2
    } else if sign.starts_with([':', '=']) {
        1
    } else {
        return None;
    };
    let at = lead + dashed.1 + key.len() + after_quote.1 + blank + width;
    (at <= bare.len()).then_some(at)
}
