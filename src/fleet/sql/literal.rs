//! Numbers with an exponent, which the SQL engine does not read: `1e12` becomes `1000000000000.0`.

use std::borrow::Cow;

/// The same question without exponents. Texts and quoted names stay as they are.
pub(super) fn without_exponents(sql: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = sql;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let token = match c {
            '\'' | '"' | '`' => rest.get(1..).and_then(|r| r.find(c)).map_or(rest.len(), |end| end + 2),
            '0'..='9' if !(before.is_alphanumeric() || matches!(before, '_' | '.')) => {
                let length = number(rest);
                if let Some(plain) = rest.get(..length).and_then(plain) {
                    out.push_str(&plain);
                    rest = rest.get(length..).unwrap_or_default();
                    before = '0';
                    continue;
                }
                length
            }
            c => c.len_utf8(),
        };
        let (seen, next) = rest.split_at_checked(token).unwrap_or((rest, ""));
        out.push_str(seen);
        before = seen.chars().next_back().unwrap_or(' ');
        rest = next;
    }
    if out == sql { Cow::Borrowed(sql) } else { Cow::Owned(out) }
}

/// How long the number at the beginning is, its exponent included.
fn number(text: &str) -> usize {
    let digits = |from: usize| from + text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or(b' ');
    let mut end = digits(0);
    if byte(end) == b'.' {
        end = digits(end + 1);
    }
    if matches!(byte(end), b'e' | b'E') {
        let sign = usize::from(matches!(byte(end + 1), b'+' | b'-'));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign && !byte(exponent).is_ascii_alphanumeric() {
            end = exponent;
        }
    }
    end
}

/// A number with an exponent in plain digits; `None` where it has none, or is beyond all measure.
fn plain(text: &str) -> Option<String> {
    if !text.contains(['e', 'E']) {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    (value.is_finite() && value < 1e30 && (value == 0.0 || value > 1e-30)).then(|| {
        let digits = format!("{value}");
        if digits.contains('.') { digits } else { digits + ".0" }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_change() {
        for (sql, plain) in [
            ("SUM(x) / 1e12", "SUM(x) / 1000000000000.0"),
            ("a>1.5E-3 AND b<2e+2", "a>0.0015 AND b<200.0"),
            ("'1e12' \"2e3\" `4e5` 'it''s 1e1'", "'1e12' \"2e3\" `4e5` 'it''s 1e1'"),
            ("col1e5, x.1e3, 12, 1.5, 1e, 1e5x", "col1e5, x.1e3, 12, 1.5, 1e, 1e5x"),
            ("'open 1e2", "'open 1e2"),
            ("é 1e1", "é 10.0"),
        ] {
            assert_eq!(without_exponents(sql), plain);
        }
    }
}
