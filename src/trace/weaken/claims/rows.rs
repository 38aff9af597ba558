//! Rows of parametrised tests: the last value of a row is what is expected of the others.

use super::{ClaimKind, Claimed};
use crate::trace::weaken::blocks::Blocks;
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::{Text, canon};
use crate::trace::weaken::util::{closing, cut, split_top, word_at};

/// The fields of a row that say what is expected.
const EXPECTED_FIELDS: &[&str] = &["want", "expected", "exp", "wanterr", "expect", "expectedresult", "output", "result"];

/// The rows on a line.
pub(super) fn claims(text: &Text<'_>, line: usize, blocks: &Blocks) -> Vec<Claimed> {
    let (code, bare) = (text.code(line), text.bare(line));
    let trimmed = bare.trim();
    let found = match text.lang {
        Lang::Python => {
            let in_head = blocks.around(line).is_some_and(|b| line < b.decl);
            if let Some(at) = word_at(bare, "parametrize") {
                listed(code, bare, at + "parametrize".len())
            } else if in_head && trimmed.starts_with(['(', '['])
                || blocks.list.is_empty() && trimmed.starts_with('(') && trimmed.ends_with("),")
            {
                row(code, bare, bare.len() - bare.trim_start().len()).into_iter().collect()
            } else if let Some(at) = word_at(bare, "param").filter(|_| in_head) {
                row(code, bare, at + "param".len()).into_iter().collect()
            } else {
                Vec::new()
            }
        }
        Lang::Js => {
            let each = blocks.around(line).is_some_and(|b| line == b.decl && b.end > line) && bare.contains(".each(");
            let row_of_each = blocks.around(line).is_some_and(|b| line > b.decl && text.bare(b.decl).trim_end().ends_with(".each(["))
                && trimmed.starts_with(['[', '{']);
            if each {
                listed(code, bare, bare.find(".each(").map_or(0, |i| i + 5))
            } else if row_of_each && trimmed.trim_end_matches(',').ends_with([']', '}']) {
                row(code, bare, bare.len() - bare.trim_start().len()).into_iter().collect()
            } else {
                Vec::new()
            }
        }
        Lang::Rust if trimmed.starts_with("#[case") || trimmed.starts_with("#[test_case(") => bracket(code, bare),
        Lang::CSharp if trimmed.starts_with("[InlineData(") || trimmed.starts_with("[TestCase(") || trimmed.starts_with("[DataRow(") => {
            bracket(code, bare)
        }
        Lang::Go if trimmed.starts_with('{') && trimmed.ends_with("},") => {
            let lead = bare.len() - bare.trim_start().len();
            // Without field names nothing says which value is expected.
            row(code, bare, lead).into_iter().filter(|r| r.subject.contains(':') && !r.expected.is_empty()).collect()
        }
        _ => Vec::new(),
    };
    found
        .into_iter()
        .map(|c| Claimed { kind: Some(ClaimKind::Row), matcher: "row".to_owned(), strength: 3, first: line, last: line, ..c })
        .collect()
}

fn bracket(code: &str, bare: &str) -> Vec<Claimed> {
    let open = bare.find('(').unwrap_or(bare.len());
    row(code, bare, open).into_iter().collect()
}

/// The rows of `parametrize("a, b", [(1, 2), (3, 4)])`, where they stand on the line.
fn listed(code: &str, bare: &str, from: usize) -> Vec<Claimed> {
    let Some(open) = cut(bare, from, bare.len()).find('[').map(|i| from + i) else { return Vec::new() };
    let Some(close) = closing(bare, open) else { return Vec::new() };
    let rows = split_top(cut(bare, open + 1, close), b',').into_iter().map(|(a, b)| (open + 1 + a, open + 1 + b));
    rows.filter(|(a, b)| !cut(bare, *a, *b).trim().is_empty())
        .map(|(a, b)| {
            let part = cut(bare, a, b);
            let lead = a + part.len() - part.trim_start().len();
            let bracketed = part.trim_start().starts_with(['(', '[', '{']) || part.trim_start().starts_with("pytest.param(");
            let lead = if part.trim_start().starts_with("pytest.") { lead + "pytest.param".len() } else { lead };
            bracketed
                .then(|| row(code, bare, lead))
                .flatten()
                .unwrap_or_else(|| Claimed { subject: spelled(code, bare, (a, b)), ..Claimed::default() })
        })
        .collect()
}

/// A bracketed row that opens at an offset.
fn row(code: &str, bare: &str, open: usize) -> Option<Claimed> {
    let close = closing(bare, open)?;
    // `test_case(2 => 4)` says itself what is expected.
    if let Some(arrow) = cut(bare, open + 1, close).find("=>").filter(|_| !bare.contains("=> {")) {
        return Some(Claimed {
            subject: spelled(code, bare, (open + 1, open + 1 + arrow)),
            expected: spelled(code, bare, (open + 3 + arrow, close)),
            ..Claimed::default()
        });
    }
    let parts: Vec<(usize, usize)> = split_top(cut(bare, open + 1, close), b',')
        .into_iter()
        .map(|(a, b)| (open + 1 + a, open + 1 + b))
        .filter(|(a, b)| !cut(bare, *a, *b).trim().is_empty())
        .collect();
    let is_expected = |(a, b): &(usize, usize)| {
        let name =
            cut(code, *a, *b).split([':', '=']).next().unwrap_or("").trim().trim_matches(['"', '\'']).to_ascii_lowercase().replace('_', "");
        EXPECTED_FIELDS.contains(&name.as_str())
    };
    let named = parts.iter().position(is_expected);
    let fields = parts.iter().all(|(a, b)| cut(bare, *a, *b).contains(':'));
    let expected_at = named.or(if fields && !parts.is_empty() { None } else { parts.len().checked_sub(1).filter(|i| *i > 0) });
    let mut subject = String::new();
    let mut expected = String::new();
    for (i, part) in parts.iter().enumerate() {
        let value = spelled(code, bare, *part);
        // Marks and ids of a row are no inputs.
        if value.starts_with("id=") || value.starts_with("marks=") {
            continue;
        }
        if Some(i) == expected_at {
            expected = value;
        } else {
            subject.push_str(&value);
            subject.push('|');
        }
    }
    (!subject.is_empty() || !expected.is_empty()).then(|| Claimed { subject, expected, ..Claimed::default() })
}

/// The canonical spelling of a stretch of a line.
fn spelled(code: &str, bare: &str, range: (usize, usize)) -> String {
    canon(cut(code, range.0, range.1), cut(bare, range.0, range.1))
}
