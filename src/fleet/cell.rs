//! What a cell of a fleet table can hold, and columns of them.

use crate::trace::{Money, Time};
use std::borrow::Cow;

/// The type of a column. Every column can hold null, which is "not known" and never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// UTF-8 on one line, without secrets and control characters.
    Text,
    /// A 64-bit integer.
    Int,
    /// A 64-bit float.
    Real,
    /// US dollars: a 64-bit float in frames, the exact decimal in CSV and NDJSON. Sums belong on the `_pico_usd` column
    /// beside it.
    Usd,
    /// True or false.
    Flag,
    /// An instant in UTC, to the millisecond.
    Time,
}

impl Type {
    /// The name in the documentation.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Int => "int64",
            Self::Real | Self::Usd => "float64",
            Self::Flag => "boolean",
            Self::Time => "datetime",
        }
    }
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// Not known.
    Null,
    /// See [`Type::Text`].
    Text(Cow<'a, str>),
    /// See [`Type::Int`].
    Int(i64),
    /// See [`Type::Real`].
    Real(f64),
    /// See [`Type::Usd`].
    Usd(Money),
    /// See [`Type::Flag`].
    Flag(bool),
    /// See [`Type::Time`].
    Time(Time),
}

impl<'a> Cell<'a> {
    /// Text that is known to be harmless: it is ours, or it was cleaned before.
    #[must_use]
    pub fn text(text: impl Into<Option<&'a str>>) -> Self {
        text.into().map_or(Self::Null, |t| Self::Text(Cow::Borrowed(t)))
    }

    /// The same, made for this cell.
    #[must_use]
    pub fn owned(text: Option<String>) -> Self {
        text.map_or(Self::Null, |t| Self::Text(Cow::Owned(t)))
    }

    /// A count. One beyond a 64-bit integer is a broken record, and null.
    #[must_use]
    pub fn int(n: Option<impl TryInto<i64>>) -> Self {
        n.and_then(|n| n.try_into().ok()).map_or(Self::Null, Self::Int)
    }

    /// A measure.
    #[must_use]
    pub fn real(n: Option<f64>) -> Self {
        n.map_or(Self::Null, Self::Real)
    }

    /// Dollars, for reading.
    #[must_use]
    pub fn usd(m: Option<Money>) -> Self {
        m.map_or(Self::Null, Self::Usd)
    }

    /// Dollars in pico-dollars, for sums. Null beyond nine million dollars, which no run costs.
    #[must_use]
    pub fn pico(m: Option<Money>) -> Self {
        Self::int(m.map(|m| m.0))
    }

    /// Yes or no.
    #[must_use]
    pub fn flag(b: impl Into<Option<bool>>) -> Self {
        b.into().map_or(Self::Null, Self::Flag)
    }

    /// An instant.
    #[must_use]
    pub fn time(t: Option<Time>) -> Self {
        t.map_or(Self::Null, Self::Time)
    }

    /// A hash as sixteen hexadecimal digits; 0 is "none".
    #[must_use]
    pub fn hash(h: u64) -> Self {
        Self::owned((h != 0).then(|| format!("{h:016x}")))
    }
}

/// The double that is nearest to an amount's decimal form, as every reader of that form would get it.
#[must_use]
pub fn nearest(m: Money) -> f64 {
    m.exact().parse().unwrap_or_else(|_| m.to_f64())
}

/// Texts one behind the other, without an allocation for each.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    all: String,
    /// Where each ends, and whether it is one: null is no empty text.
    ends: Vec<(usize, bool)>,
}

impl Texts {
    fn push(&mut self, text: Option<&str>) {
        self.all.push_str(text.unwrap_or_default());
        self.ends.push((self.all.len(), text.is_some()));
    }

    fn append(&mut self, other: &mut Self) {
        let before = self.all.len();
        self.all.push_str(&other.all);
        self.ends.extend(other.ends.iter().map(|(end, known)| (before + end, *known)));
        *other = Self::default();
    }

    fn get(&self, row: usize) -> Option<&str> {
        let (end, known) = *self.ends.get(row)?;
        let start = row.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |b| b.0);
        self.all.get(start..end).filter(|_| known)
    }

    fn split_off(&mut self, row: usize) -> Self {
        let before = row.checked_sub(1).and_then(|b| self.ends.get(b)).map_or(0, |b| b.0);
        let all = self.all.split_off(before.min(self.all.len()));
        let ends = self.ends.split_off(row.min(self.ends.len()));
        Self { all, ends: ends.into_iter().map(|(end, known)| (end - before, known)).collect() }
    }

    /// The texts in order.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.ends.len()).map(|row| self.get(row))
    }
}

/// The cells of one column, one kind of vector a type.
#[derive(Debug, Clone)]
pub enum Values {
    /// See [`Type::Text`].
    Text(Texts),
    /// See [`Type::Int`].
    Int(Vec<Option<i64>>),
    /// See [`Type::Real`].
    Real(Vec<Option<f64>>),
    /// See [`Type::Usd`].
    Usd(Vec<Option<Money>>),
    /// See [`Type::Flag`].
    Flag(Vec<Option<bool>>),
    /// See [`Type::Time`].
    Time(Vec<Option<Time>>),
}

impl Values {
    /// An empty column.
    #[must_use]
    pub fn new(ty: Type) -> Self {
        match ty {
            Type::Text => Self::Text(Texts::default()),
            Type::Int => Self::Int(Vec::new()),
            Type::Real => Self::Real(Vec::new()),
            Type::Usd => Self::Usd(Vec::new()),
            Type::Flag => Self::Flag(Vec::new()),
            Type::Time => Self::Time(Vec::new()),
        }
    }

    /// Puts a cell at the end. One of another type than the column's becomes null; a test sees to it that there is none.
    pub fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Text(v), Cell::Text(t)) => v.push(Some(&t)),
            (Self::Int(v), Cell::Int(n)) => v.push(Some(n)),
            (Self::Real(v), Cell::Real(n)) => v.push(Some(n)),
            (Self::Usd(v), Cell::Usd(m)) => v.push(Some(m)),
            (Self::Flag(v), Cell::Flag(b)) => v.push(Some(b)),
            (Self::Time(v), Cell::Time(t)) => v.push(Some(t)),
            (Self::Text(v), _) => v.push(None),
            (Self::Int(v), _) => v.push(None),
            (Self::Real(v), _) => v.push(None),
            (Self::Usd(v), _) => v.push(None),
            (Self::Flag(v), _) => v.push(None),
            (Self::Time(v), _) => v.push(None),
        }
    }

    /// Moves another column's cells to the end of this one. Both are of one type.
    pub fn append(&mut self, other: &mut Self) {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a.append(b),
            (Self::Int(a), Self::Int(b)) => a.append(b),
            (Self::Real(a), Self::Real(b)) => a.append(b),
            (Self::Usd(a), Self::Usd(b)) => a.append(b),
            (Self::Flag(a), Self::Flag(b)) => a.append(b),
            (Self::Time(a), Self::Time(b)) => a.append(b),
            _ => debug_assert!(false, "columns of two types"),
        }
    }

    /// Takes the cells from a row on away.
    #[must_use]
    pub fn split_off(&mut self, row: usize) -> Self {
        match self {
            Self::Text(v) => Self::Text(v.split_off(row)),
            Self::Int(v) => Self::Int(v.split_off(row.min(v.len()))),
            Self::Real(v) => Self::Real(v.split_off(row.min(v.len()))),
            Self::Usd(v) => Self::Usd(v.split_off(row.min(v.len()))),
            Self::Flag(v) => Self::Flag(v.split_off(row.min(v.len()))),
            Self::Time(v) => Self::Time(v.split_off(row.min(v.len()))),
        }
    }

    /// The cell of a row; null beyond the end.
    #[must_use]
    pub fn get(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Text(v) => Cell::text(v.get(row)),
            Self::Int(v) => Cell::int(v.get(row).copied().flatten()),
            Self::Real(v) => Cell::real(v.get(row).copied().flatten()),
            Self::Usd(v) => Cell::usd(v.get(row).copied().flatten()),
            Self::Flag(v) => Cell::flag(v.get(row).copied().flatten()),
            Self::Time(v) => Cell::time(v.get(row).copied().flatten()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_read_as_their_decimal_form_would() {
        for (pico, double) in
            [(17_474_517_000_000, 17.474_517), (100_000_000_000, 0.1), (1, 1e-12), (9_007_199_254_740_993_000, 9_007_199.254_740_993)]
        {
            assert!((nearest(Money(pico)) - double).abs() < f64::EPSILON, "{pico}");
        }
    }

    #[test]
    fn null_is_no_empty_text() {
        let column = |cells: &[Cell<'static>]| {
            let mut values = Values::new(Type::Text);
            cells.iter().for_each(|c| values.push(c.clone()));
            values
        };
        let mut a = column(&[Cell::text("a"), Cell::Null, Cell::text("")]);
        a.append(&mut column(&[Cell::Null, Cell::text("né"), Cell::Int(3)]));
        let got: Vec<Cell<'_>> = (0..7).map(|row| a.get(row)).collect();
        assert_eq!(got, [Cell::text("a"), Cell::Null, Cell::text(""), Cell::Null, Cell::text("né"), Cell::Null, Cell::Null]);
        let rest = a.split_off(2);
        assert_eq!([a.get(0), a.get(1), a.get(2)], [Cell::text("a"), Cell::Null, Cell::Null]);
        assert_eq!([rest.get(0), rest.get(1), rest.get(2), rest.get(3)], [Cell::text(""), Cell::Null, Cell::text("né"), Cell::Null]);
    }

    #[test]
    fn what_does_not_fit_is_null_and_not_wrong() {
        let most = Money(i128::from(i64::MAX));
        assert_eq!(Cell::pico(Some(most)), Cell::Int(i64::MAX));
        assert_eq!(Cell::pico(Some(most + Money(1))), Cell::Null);
        assert_eq!(Cell::int(Some(u64::MAX)), Cell::Null);
        assert_eq!((Cell::pico(None), Cell::usd(None), Cell::hash(0)), (Cell::Null, Cell::Null, Cell::Null));
        assert_eq!(Cell::hash(255), Cell::Text("00000000000000ff".into()));
    }
}
