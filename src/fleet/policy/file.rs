//! Reads a policy file.

use crate::diagnose::{Confidence, Ending, Health, KINDS, Kind, KindSpec};
use crate::error::SettingsError;
use crate::fleet::policy::limits::{LIMITS, Unit};
use crate::fleet::policy::{Amount, Bound, Forbidden, Limit, Policy, Rule};
use crate::input::read_text;
use crate::settings::suggest;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const PARTS: &[&str] = &["forbid", "max", "min"];
const FORBID: &[&str] = &["modes", "findings", "endings", "health", "min_confidence"];

/// Reads a policy.
///
/// # Errors
/// The file cannot be read or parsed; it has a key or a name that nothing knows (with the nearest known one), or a value
/// that the key does not take; it holds no rule.
pub fn read(path: &Path) -> Result<Policy, SettingsError> {
    let fail = |reason: String| SettingsError::File { path: path.to_owned(), reason };
    let text = read_text(path).map_err(|e| fail(e.to_string()))?;
    parse(&path.display().to_string(), &text).map_err(|e| match e {
        Fault::Syntax(reason) => fail(reason),
        Fault::Settings(e) => e,
    })
}

enum Fault {
    Syntax(String),
    Settings(SettingsError),
}

/// A file, to say where in it something stands.
struct Text<'t> {
    path: &'t str,
    text: &'t str,
}

impl Text<'_> {
    fn place<T>(&self, at: &Spanned<T>) -> String {
        let before = self.text.get(..at.span().start).unwrap_or_default();
        format!("{}:{}", self.path, before.bytes().filter(|b| *b == b'\n').count() + 1)
    }

    fn unknown<'n, T>(&self, at: &Spanned<T>, key: &str, known: impl Iterator<Item = &'n str>) -> Fault {
        Fault::Settings(SettingsError::UnknownKey { place: self.place(at), key: key.to_owned(), suggestion: suggest(key, known) })
    }

    fn bad(&self, key: &str, value: &Spanned<DeValue<'_>>, reason: String) -> Fault {
        let written = self.text.get(value.span()).unwrap_or_default().to_owned();
        Fault::Settings(SettingsError::BadValue { place: self.place(value), key: key.to_owned(), value: written, reason })
    }
}

fn parse(path: &str, text: &str) -> Result<Policy, Fault> {
    let root = DeTable::parse(text).map_err(|e| Fault::Syntax(e.to_string().trim_end().to_owned()))?;
    let file = Text { path, text };
    let mut policy = Policy { path: path.to_owned(), min_confidence: Confidence::Medium, rules: Vec::new() };
    for (part, value) in root.get_ref() {
        let name: &str = part.get_ref();
        if !PARTS.contains(&name) {
            return Err(file.unknown(part, name, PARTS.iter().copied()));
        }
        let table = value.get_ref().as_table().ok_or_else(|| file.bad(name, value, "it takes a table".to_owned()))?;
        match name {
            "forbid" => forbid(&file, table, &mut policy)?,
            "max" => limits(&file, table, Bound::Max, &mut policy)?,
            _ => limits(&file, table, Bound::Min, &mut policy)?,
        }
    }
    if policy.rules.is_empty() {
        return Err(Fault::Syntax("it holds no rule; `loopmortem check --help` shows some".to_owned()));
    }
    Ok(policy)
}

fn forbid(file: &Text<'_>, table: &DeTable<'_>, policy: &mut Policy) -> Result<(), Fault> {
    for (key, value) in table {
        let name: &str = key.get_ref();
        match name {
            "min_confidence" => policy.min_confidence = confidence(file, value)?,
            "modes" | "findings" | "endings" | "health" => {
                for (item, text) in words(file, name, value)? {
                    policy.rules.push(Rule::Forbid(forbidden(file, name, item, text)?));
                }
            }
            _ => return Err(file.unknown(key, name, FORBID.iter().copied())),
        }
    }
    Ok(())
}

fn confidence(file: &Text<'_>, value: &Spanned<DeValue<'_>>) -> Result<Confidence, Fault> {
    let all = [Confidence::Low, Confidence::Medium, Confidence::High];
    let text = value.get_ref().as_str();
    all.into_iter()
        .find(|c| text == Some(c.word()))
        .ok_or_else(|| file.bad("min_confidence", value, "it takes \"low\", \"medium\" or \"high\"".to_owned()))
}

type Words<'v, 'i> = Vec<(&'v Spanned<DeValue<'i>>, &'v str)>;

fn words<'v, 'i>(file: &Text<'_>, key: &str, value: &'v Spanned<DeValue<'i>>) -> Result<Words<'v, 'i>, Fault> {
    let wrong = |v: &Spanned<DeValue<'_>>| file.bad(key, v, "it takes a list of names in quotes".to_owned());
    let array = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
    array.iter().map(|item| Ok((item, item.get_ref().as_str().ok_or_else(|| wrong(item))?))).collect()
}

fn forbidden(file: &Text<'_>, part: &str, item: &Spanned<DeValue<'_>>, text: &str) -> Result<Forbidden, Fault> {
    let of = |modes_only: bool| KINDS.iter().filter(move |k| k.is_mode || !modes_only);
    let kind = |modes_only: bool| -> Result<(Kind, Option<&'static str>), Fault> {
        let (name, variant) = text.split_once('/').map_or((text, None), |(n, v)| (n, Some(v)));
        let spec: &KindSpec =
            of(modes_only).find(|k| k.id == name).ok_or_else(|| file.unknown(item, name, of(modes_only).map(|k| k.id)))?;
        let variant = match variant {
            None => None,
            Some(v) => {
                let known = spec.variants.iter().map(|(id, _)| *id);
                Some(known.clone().find(|id| *id == v).ok_or_else(|| file.unknown(item, v, known))?)
            }
        };
        Ok((spec.kind, variant))
    };
    Ok(match part {
        "modes" => kind(true).map(|(k, v)| Forbidden::Mode(k, v))?,
        "findings" => kind(false).map(|(k, v)| Forbidden::Finding(k, v))?,
        "endings" => {
            let known = Ending::ALL.iter().map(|(_, id, _)| *id);
            Forbidden::Ending(known.clone().find(|id| *id == text).ok_or_else(|| file.unknown(item, text, known))?)
        }
        _ => {
            let known = [Health::Failing, Health::Inconclusive, Health::Healthy].map(Health::word).into_iter();
            Forbidden::Health(known.clone().find(|id| *id == text).ok_or_else(|| file.unknown(item, text, known))?)
        }
    })
}

fn limits(file: &Text<'_>, table: &DeTable<'_>, bound: Bound, policy: &mut Policy) -> Result<(), Fault> {
    let known = || LIMITS.iter().filter(move |l| l.bound == bound);
    if let Some((key, _)) = table.iter().find(|(key, _)| !known().any(|l| l.key == key.get_ref().as_ref())) {
        return Err(file.unknown(key, key.get_ref(), known().map(|l| l.key)));
    }
    // In the order of the table, whatever the order of the file.
    for limit in known() {
        if let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref().as_ref() == limit.key) {
            policy.rules.push(Rule::Limit(limit, amount(file, limit, value)?));
        }
    }
    Ok(())
}

fn amount(file: &Text<'_>, limit: &Limit, value: &Spanned<DeValue<'_>>) -> Result<Amount, Fault> {
    let (number, text) = match value.get_ref() {
        DeValue::Integer(i) if i.radix() == 10 => (Some(i.as_str()), None),
        DeValue::Float(f) => (Some(f.as_str()), None),
        DeValue::String(s) => (None, Some(s.as_ref())),
        _ => (None, None),
    };
    let positive = |n: &f64| n.is_finite() && *n >= 0.0;
    let float = || number.and_then(|n| n.parse::<f64>().ok()).filter(positive);
    let (amount, takes) = match limit.unit {
        // The decimal itself, so that no limit is a float's neighbour.
        Unit::Usd => (
            number.and_then(|n| n.parse().ok()).filter(|m: &crate::trace::Money| m.0 >= 0).map(Amount::Usd),
            "US dollars as a number from 0",
        ),
        Unit::Count => (number.and_then(|n| n.parse().ok()).map(Amount::Count), "a whole number from 0"),
        Unit::Share => (float().filter(|n| *n <= 1.0).map(Amount::Ratio), "a share between 0 and 1"),
        Unit::Ratio => (float().map(Amount::Ratio), "a number from 0"),
        Unit::Span => (
            float().or_else(|| text.and_then(|t| humantime::parse_duration(t).ok()).map(|d| d.as_secs_f64())).map(Amount::Seconds),
            "a span as \"90m\" or \"2h\", or seconds",
        ),
    };
    amount.ok_or_else(|| file.bad(&limit.name(), value, format!("it takes {takes}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Policy, String> {
        parse("p.toml", text).map_err(|e| match e {
            Fault::Syntax(reason) => reason,
            Fault::Settings(e) => e.to_string(),
        })
    }

    #[test]
    fn rules_come_in_the_order_of_the_table() {
        let policy = read(
            "[forbid]\nmodes = ['stuck', \"stuck/check\"]\nfindings=[]\nendings = ['died']\nhealth = ['failing']\nmin_confidence = 'high'\n\
             [max]\ntotal_usd = 10\nrun_usd = 0.30\ndead = '2h'\nrun_wall = 90\nlost_lines = 0\n[min]\ngreen_share = 0.5\n",
        )
        .unwrap();
        assert_eq!(policy.min_confidence, Confidence::High);
        let usd = |text: &str| Amount::Usd(text.parse().unwrap());
        let held: Vec<(String, Amount)> =
            policy.rules.iter().filter_map(|r| if let Rule::Limit(l, a) = r { Some((l.name(), *a)) } else { None }).collect();
        let named = |n: &str, a| (n.to_owned(), a);
        assert_eq!(
            held,
            [
                named("max.run_usd", usd("0.3")),
                named("max.run_wall", Amount::Seconds(90.0)),
                named("max.total_usd", usd("10")),
                named("max.dead", Amount::Seconds(7200.0)),
                named("max.lost_lines", Amount::Count(0)),
                named("min.green_share", Amount::Ratio(0.5)),
            ]
        );
        assert!(policy.rules.contains(&Rule::Forbid(Forbidden::Mode(Kind::Stuck, Some("check")))));
        assert_eq!(policy.rules.len(), 10);
    }

    #[test]
    fn faults_name_the_line_and_the_nearest_name() {
        for (text, said) in [
            ("[forbid]\nmodes = ['stuk']", "p.toml:2: unknown setting `stuk`; did you mean `stuck`?"),
            ("[forbid]\nmodes = ['false_done']", "p.toml:2: unknown setting `false_done`"),
            ("[forbid]\nmodes = ['stuck/chek']", "p.toml:2: unknown setting `chek`; did you mean `check`?"),
            ("[max]\n\nrun_us = 3", "p.toml:3: unknown setting `run_us`; did you mean `run_usd`?"),
            ("[maxi]", "p.toml:1: unknown setting `maxi`; did you mean `max`?"),
            ("[max]\nrun_usd = -1", "p.toml:2: `max.run_usd` cannot be -1: it takes US dollars as a number from 0"),
            ("[max]\nrun_usd = 'much'", "cannot be 'much'"),
            ("[max]\nlost_lines = 1.5", "it takes a whole number from 0"),
            ("[max]\nwaste_share = 30", "it takes a share between 0 and 1"),
            ("[max]\ndead = 'long'", "it takes a span as"),
            ("[max]\nrun_usd = inf", "cannot be inf"),
            ("[forbid]\nmin_confidence = 'sure'", "it takes \"low\", \"medium\" or \"high\""),
            ("[forbid]\nmodes = 'stuck'", "it takes a list of names in quotes"),
            ("max = 3", "`max` cannot be 3: it takes a table"),
            ("[max", "line 1"),
            ("", "it holds no rule"),
            ("[min]\nrun_usd = 3", "unknown setting `run_usd`"),
        ] {
            let fault = read(text).unwrap_err();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
