//! What the columns of an answer are called. polars heads `COUNT(*)` with `len` and `MAX(wall_s)` with `wall_s`; a reader expects
//! what was written.

use std::ops::Range;

/// An item of the question's outermost list.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    /// A column or an expression with a name of its own.
    Named,
    /// `*` and the like: any number of columns.
    Any,
    /// An expression without a name, and where it stands.
    Bare(Range<usize>),
}

/// The names of an answer's columns, given those of polars.
pub(super) fn of(sql: &str, polars: &[&str]) -> Vec<String> {
    let items = items(sql);
    let mut names: Vec<String> = polars.iter().map(|&n| n.to_owned()).collect();
    let any = items.iter().filter(|i| **i == Item::Any).count();
    if any > 1 || (any == 0 && items.len() != names.len()) || items.len() > names.len() + any {
        return names;
    }
    let open = items.iter().position(|i| *i == Item::Any).unwrap_or(items.len());
    for (k, item) in items.iter().enumerate() {
        // What stands behind the star is counted from the end.
        let at = if k < open { Some(k) } else { (names.len() + k).checked_sub(items.len()) };
        if let (Item::Bare(place), Some(slot)) = (item, at.and_then(|at| names.get_mut(at))) {
            *slot = text(sql, place);
        }
    }
    names
}

/// The question with a name for each expression that has none: `MIN(x), MAX(x)` would both be called `x`.
pub(super) fn named(sql: &str) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for place in items(sql).into_iter().filter_map(|i| if let Item::Bare(place) = i { Some(place) } else { None }) {
        out.push_str(sql.get(copied..place.end).unwrap_or_default());
        out.push_str(&format!(" AS \"{}\"", text(sql, &place).replace('"', "\"\"")));
        copied = place.end;
    }
    out + sql.get(copied..).unwrap_or_default()
}

/// An expression on one line.
fn text(sql: &str, place: &Range<usize>) -> String {
    sql.get(place.clone()).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// `"name"` or a name in backticks.
    Quoted,
    Text,
    Number,
    Sign(char),
}

struct Token {
    kind: Kind,
    place: Range<usize>,
    depth: usize,
}

/// What ends the list of a question.
const ENDS: &[&str] =
    &["FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION", "EXCEPT", "INTERSECT", "QUALIFY", "WINDOW"];

/// Words that stand between parts of an expression, so that what follows one is no name.
const WITHIN: &[&str] = &[
    "AND", "OR", "NOT", "IS", "LIKE", "ILIKE", "RLIKE", "REGEXP", "IN", "BETWEEN", "CASE", "WHEN", "THEN", "ELSE", "OVER", "DISTINCT",
    "FROM", "INTERVAL", "DATE", "ESCAPE", "SIMILAR", "TO", "ANY", "ALL",
];

/// Words that end an expression and are no name.
const CLOSING: &[&str] = &["END", "NULL", "TRUE", "FALSE"];

fn items(sql: &str) -> Vec<Item> {
    let tokens = tokens(sql);
    let is = |t: &Token, words: &[&str]| {
        t.kind == Kind::Word && sql.get(t.place.clone()).is_some_and(|w| words.iter().any(|k| k.eq_ignore_ascii_case(w)))
    };
    let Some(start) = tokens.iter().position(|t| t.depth == 0 && is(t, &["SELECT"])) else { return Vec::new() };
    let mut rest = tokens.get(start + 1..).unwrap_or_default();
    while let Some((first, more)) = rest.split_first().filter(|(t, _)| is(t, &["DISTINCT", "ALL"])) {
        rest = more;
        // DISTINCT ON (…)
        if is(first, &["DISTINCT"]) && rest.first().is_some_and(|t| is(t, &["ON"])) {
            let close = rest.iter().position(|t| t.depth == 0 && t.kind == Kind::Sign(')')).map_or(rest.len(), |at| at + 1);
            rest = rest.get(close..).unwrap_or_default();
        }
    }
    let end = (0..rest.len()).find(|&k| {
        let compared = k > 0 && is(&rest[k - 1], &["DISTINCT"]); // IS DISTINCT FROM
        rest[k].depth == 0 && (is(&rest[k], ENDS) && !compared || rest[k].kind == Kind::Sign(';'))
    });
    let list = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let comma = |t: &Token| t.depth == 0 && t.kind == Kind::Sign(',');
    list.split(comma).filter(|part| !part.is_empty()).map(|part| item(part, &is)).collect()
}

fn item(part: &[Token], is: &impl Fn(&Token, &[&str]) -> bool) -> Item {
    let top: Vec<&Token> = part.iter().filter(|t| t.depth == 0).collect();
    let sign = |t: &Token, c: char| t.kind == Kind::Sign(c);
    let name = |t: &Token| matches!(t.kind, Kind::Word | Kind::Quoted);
    let star = match &*top {
        [first, ..] if sign(first, '*') => true,
        [_, dot, star, ..] => sign(dot, '.') && sign(star, '*'),
        _ => false,
    };
    let columns = top.first().is_some_and(|t| is(t, &["COLUMNS"]));
    if star || columns {
        return Item::Any;
    }
    // A column, perhaps with its table.
    let column = top.iter().enumerate().all(|(k, t)| if k % 2 == 0 { name(t) } else { sign(t, '.') });
    let alias = match &*top {
        [.., before, last] if name(last) && !is(last, CLOSING) => {
            let joined = is(before, WITHIN) || matches!(before.kind, Kind::Sign(c) if c != ')');
            !joined
        }
        _ => false,
    };
    let lone = matches!(&*top, [one] if is(one, CLOSING));
    match (part.first(), part.last()) {
        (Some(first), Some(last)) if !(column || alias) || lone => Item::Bare(first.place.start..last.place.end),
        _ => Item::Named,
    }
}

/// The tokens of a question, without comments. A bracket has the depth of what stands around it.
fn tokens(sql: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(c) = sql.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = sql.get(at..).unwrap_or_default();
        let while_is = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let (kind, length) = match c {
            c if c.is_whitespace() => (None, c.len_utf8()),
            '-' if rest.starts_with("--") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => (None, rest.find("*/").map_or(rest.len(), |end| end + 2)),
            '\'' | '"' | '`' => {
                let kind = if c == '\'' { Kind::Text } else { Kind::Quoted };
                (Some(kind), quoted(rest, c))
            }
            c if c.is_alphabetic() || c == '_' => (Some(Kind::Word), while_is(|c| c.is_alphanumeric() || c == '_')),
            '0'..='9' => (Some(Kind::Number), while_is(|c| c.is_ascii_alphanumeric() || c == '.')),
            c => (Some(Kind::Sign(c)), c.len_utf8()),
        };
        if c == ')' {
            depth = depth.saturating_sub(1);
        }
        found.extend(kind.map(|kind| Token { kind, place: at..at + length, depth }));
        if c == '(' {
            depth += 1;
        }
        at += length.max(1);
    }
    found
}

/// How long a quoted piece is; a doubled quote is one within it.
fn quoted(rest: &str, quote: char) -> usize {
    let mut at = 1;
    loop {
        match rest.get(at..).and_then(|r| r.find(quote)) {
            Some(end) if rest.get(at + end + 1..).is_some_and(|r| r.starts_with(quote)) => at += end + 2,
            Some(end) => return at + end + 1,
            None => return rest.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_head_is_what_was_written() {
        for (sql, polars, heads) in [
            ("SELECT COUNT(*) FROM runs", &["len"][..], &["COUNT(*)"][..]),
            ("select ending, count( * )\n from runs", &["ending", "len"], &["ending", "count( * )"]),
            ("SELECT r.run, \"mode\", MAX(wall_s) / 60 FROM runs r", &["run", "mode", "wall_s"], &["run", "mode", "MAX(wall_s) / 60"]),
            ("SELECT COUNT(*) AS n, SUM(a) total, AVG(b) \"c d\" FROM x", &["n", "total", "c d"], &["n", "total", "c d"]),
            ("SELECT DISTINCT mode, 1 + 1 FROM runs", &["mode", "literal"], &["mode", "1 + 1"]),
            ("WITH a AS (SELECT COUNT(*) AS n FROM x) SELECT MAX(n), -n FROM a", &["n", "n2"], &["MAX(n)", "-n"]),
            ("SELECT *, COUNT(*) OVER w FROM runs", &["a", "b", "len"], &["a", "b", "COUNT(*) OVER w"]),
            ("SELECT SUM(a), r.*, MIN(b) FROM r", &["s", "a", "b", "m"], &["SUM(a)", "a", "b", "MIN(b)"]),
            (
                "SELECT CASE WHEN a THEN 'x, FROM' ELSE b END, c IS NULL FROM r",
                &["a", "c"],
                &["CASE WHEN a THEN 'x, FROM' ELSE b END", "c IS NULL"],
            ),
            ("SELECT CASE WHEN a THEN 1 END what FROM r", &["what"], &["what"]),
            ("SELECT a IS DISTINCT FROM b, NOT c, 'it''s' FROM r", &["x", "y", "z"], &["a IS DISTINCT FROM b", "NOT c", "'it''s'"]),
            ("SELECT EXTRACT(YEAR FROM started) /* , */ FROM runs -- , b", &["started"], &["EXTRACT(YEAR FROM started)"]),
            ("SELECT COUNT(*) FROM a UNION SELECT SUM(x) FROM b", &["len"], &["COUNT(*)"]),
            ("(SELECT COUNT(*) FROM a)", &["len"], &["len"]),
            ("SELECT NULL, 1", &["literal", "l2"], &["NULL", "1"]),
            ("FROM runs", &["a", "b"], &["a", "b"]),
        ] {
            assert_eq!(of(sql, polars), heads, "{sql}");
        }
    }

    #[test]
    fn equal_names_are_told_apart() {
        assert_eq!(named("SELECT MIN(a), MAX(a), b FROM r"), "SELECT MIN(a) AS \"MIN(a)\", MAX(a) AS \"MAX(a)\", b FROM r");
        assert_eq!(named("SELECT a || \"b\" FROM r"), "SELECT a || \"b\" AS \"a || \"\"b\"\"\" FROM r");
        assert_eq!(named("SELECT a FROM r"), "SELECT a FROM r");
    }

    proptest! {
        #[test]
        fn any_text_is_survived(sql in "(SELECT )?[a-z(),*.'\"`/ \\-é0-9]{0,60}", names in 0_usize..5) {
            let names = vec!["n"; names];
            prop_assert_eq!(of(&sql, &names).len(), names.len());
            let _ = named(&sql);
        }
    }
}
