//! Thresholds and where their values come from: flags beat environment, which beats the file, which beats defaults.

mod file;
mod judges;
mod limits;
pub mod table;
mod when;

pub use file::{ConfigFile, find_config, read_config};
pub use table::{Setting, TABLE, Thresholds};
pub use when::{WHEN, When};

use crate::error::SettingsError;
use std::collections::BTreeMap;

/// The environment's prefix.
pub const ENV_PREFIX: &str = "LOOPMORTEM_";

/// Variables with the prefix that are no thresholds.
const OTHER_VARIABLES: &[&str] = &["CACHE", "CONFIG", "TZ", "COLOR"];

/// Where a value was set, and how it is spelled there.
#[derive(Clone, Default)]
struct Origin {
    place: String,
    key: String,
    value: String,
}

impl Origin {
    fn refused(&self, reason: String) -> SettingsError {
        SettingsError::BadValue { place: self.place.clone(), key: self.key.clone(), value: self.value.clone(), reason }
    }
}

/// The name that is spelled most like `key`, where one is near.
#[must_use]
pub fn suggest<'a>(key: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .map(|name| (strsim::jaro_winkler(key, name), name))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.to_owned())
}

/// Puts the thresholds together.
///
/// `environment` are variable names and values; `flags` are setting names and values. Returns the thresholds and
/// warnings about variables that no setting has.
///
/// # Errors
/// A value that its setting cannot take, from any of the three, with its place; one that the setting it goes with does not
/// allow; or an unknown key in the file.
pub fn resolve(
    file: Option<&ConfigFile>,
    environment: impl Iterator<Item = (String, String)>,
    flags: impl Iterator<Item = (String, String)>,
) -> Result<(Thresholds, Vec<String>), SettingsError> {
    let mut thresholds = Thresholds::default();
    let mut warnings = Vec::new();
    let mut origins: BTreeMap<String, Origin> = BTreeMap::new();
    let mut put = |name: &str, origin: Origin| -> Result<bool, SettingsError> {
        let known = thresholds.set(name, &origin.value).map_err(|reason| origin.refused(reason))?;
        if known {
            origins.insert(name.to_owned(), origin);
        }
        Ok(known)
    };
    if let Some(file) = file {
        for (key, value) in &file.thresholds {
            let place = file.place(&format!("thresholds.{key}"));
            if !put(key, Origin { place: place.clone(), key: key.clone(), value: value.clone() })? {
                let suggestion = suggest(key, TABLE.iter().map(|s| s.name));
                return Err(SettingsError::UnknownKey { place, key: key.clone(), suggestion });
            }
        }
    }
    let mut variables: Vec<_> = environment.filter(|(name, _)| name.starts_with(ENV_PREFIX)).collect();
    variables.sort();
    for (name, value) in variables {
        let rest = name[ENV_PREFIX.len()..].to_owned();
        let known = put(&rest.to_lowercase(), Origin { place: "environment".to_owned(), key: name.clone(), value })?;
        if !known && !OTHER_VARIABLES.contains(&&*rest) {
            let near = suggest(&rest.to_lowercase(), TABLE.iter().map(|s| s.name));
            let near = near.map_or_else(String::new, |n| format!("; did you mean {ENV_PREFIX}{}?", n.to_uppercase()));
            warnings.push(format!("environment: no setting is called {name}{near}"));
        }
    }
    for (key, value) in flags {
        put(&key, Origin { place: "arguments".to_owned(), key: format!("--{}", key.replace('_', "-")), value })?;
    }
    limits::in_order(&mut thresholds, |name| origins.contains_key(name)).map_err(|(low, high)| {
        let other = match origins.get(high) {
            Some(o) => format!("{}: `{}` is {}", o.place, o.key, o.value),
            None => format!("it is {} where nobody sets it", thresholds.get(high).unwrap_or_default()),
        };
        // What is out of order was set by somebody.
        let origin = origins.get(low).cloned().unwrap_or_default();
        origin.refused(format!("it takes at most what {high} is ({other})"))
    })?;
    Ok((thresholds, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(rows: &[(&str, &str)]) -> impl Iterator<Item = (String, String)> {
        rows.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn flags_beat_environment_beats_file() {
        let file = ConfigFile {
            path: "x.toml".into(),
            thresholds: vec![("stuck_verdict".into(), "5".into()), ("walk_reds".into(), "8".into()), ("poll_verdict".into(), "30".into())],
            ..ConfigFile::default()
        };
        let env = pairs(&[("LOOPMORTEM_WALK_REDS", "9"), ("LOOPMORTEM_STUCK_VERDICT", "6"), ("HOME", "/x"), ("LOOPMORTEM_CACHE", "off")]);
        let (t, warnings) = resolve(Some(&file), env, pairs(&[("stuck_verdict", "7")])).unwrap();
        assert_eq!((t.stuck_verdict, t.walk_reds, t.poll_verdict, t.walk_single), (7, 9, 30, 10));
        assert!(warnings.is_empty());
    }

    #[test]
    fn unknown_keys_are_errors_in_the_file_and_warnings_in_the_environment() {
        let file = ConfigFile { path: "x.toml".into(), thresholds: vec![("stuck_verdikt".into(), "5".into())], ..ConfigFile::default() };
        let error = resolve(Some(&file), pairs(&[]), pairs(&[])).unwrap_err();
        assert_eq!(error.to_string(), "x.toml: unknown setting `stuck_verdikt`; did you mean `stuck_verdict`?");
        let (_, warnings) = resolve(None, pairs(&[("LOOPMORTEM_STUCK_VERDIKT", "1")]), pairs(&[])).unwrap();
        assert_eq!(warnings, ["environment: no setting is called LOOPMORTEM_STUCK_VERDIKT; did you mean LOOPMORTEM_STUCK_VERDICT?"]);
        assert!(resolve(None, pairs(&[("LOOPMORTEM_STUCK_VERDICT", "none")]), pairs(&[])).is_err());
    }

    /// The error of settings from a file with that content, the environment and flags.
    fn refused(toml: &str, env: &[(&str, &str)], flags: &[(&str, &str)]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.toml");
        std::fs::write(&path, toml).unwrap();
        let file = ConfigFile { path: "x.toml".into(), ..read_config(&path).unwrap() };
        resolve(Some(&file), pairs(env), pairs(flags)).unwrap_err().to_string()
    }

    #[test]
    fn a_value_without_sense_is_refused_where_it_was_set() {
        assert_eq!(
            refused("tz = \"UTC\"\n[thresholds]\nwalk_distinct = 80\n", &[], &[]),
            "x.toml:3: `walk_distinct` cannot be 80: it takes a share above 0, at most 1; 80 % is 0.8"
        );
        assert_eq!(
            refused("", &[("LOOPMORTEM_DEATH_FACTOR", "0.5")], &[]),
            "environment: `LOOPMORTEM_DEATH_FACTOR` cannot be 0.5: it takes a factor of at least 1"
        );
        assert_eq!(
            refused("", &[], &[("oscillation_period", "1")]),
            "arguments: `--oscillation-period` cannot be 1: it takes a whole number from 2, as a cycle has two states, to 1000"
        );
        assert!(refused("", &[("LOOPMORTEM_STUCK_VERDICT", "")], &[]).contains("cannot be empty"));
    }

    #[test]
    fn a_suspicion_above_its_verdict_is_refused_where_it_was_set() {
        for (low, high) in limits::ORDERED {
            let flag = format!("--{}", low.replace('_', "-"));
            let said = refused("", &[], &[(low, "5000"), (high, "20")]);
            let upper = format!("--{}", high.replace('_', "-"));
            let want = format!("arguments: `{flag}` cannot be 5000: it takes at most what {high} is (arguments: `{upper}` is 20)");
            assert_eq!(said, want);
            let said = refused(&format!("[thresholds]\n{low} = 5000\n"), &[], &[]);
            assert!(said.starts_with(&format!("x.toml:2: `{low}` cannot be 5000: it takes at most what {high} is (it is ")), "{said}");
            // Who wants verdicts early has not asked for late suspicions.
            let (t, _) = resolve(None, pairs(&[]), pairs(&[(high, "1")])).unwrap();
            assert_eq!((t.get(low), t.get(high)), (Some(1.0), Some(1.0)));
        }
    }
}
