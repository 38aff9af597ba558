//! Thresholds and where their values come from: flags beat environment, which beats the file, which beats defaults.

mod file;
mod judges;
pub mod table;

pub use file::{ConfigFile, find_config, read_config};
pub use table::{Setting, TABLE, Thresholds};

use crate::error::SettingsError;

/// The environment's prefix.
pub const ENV_PREFIX: &str = "LOOPMORTEM_";

/// Variables with the prefix that are no thresholds.
const OTHER_VARIABLES: &[&str] = &["CACHE", "CONFIG", "TZ", "COLOR"];

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
/// A value that its setting cannot take, from any of the three, or an unknown key in the file.
pub fn resolve(
    file: Option<&ConfigFile>,
    environment: impl Iterator<Item = (String, String)>,
    flags: impl Iterator<Item = (String, String)>,
) -> Result<(Thresholds, Vec<String>), SettingsError> {
    let mut thresholds = Thresholds::default();
    let mut warnings = Vec::new();
    let bad = |place: &str, key: &str, value: &str, reason: String| SettingsError::BadValue {
        place: place.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        reason,
    };
    if let Some(file) = file {
        let place = file.path.display().to_string();
        for (key, value) in &file.thresholds {
            let known = thresholds.set(key, value).map_err(|reason| bad(&place, key, value, reason))?;
            if !known {
                let suggestion = suggest(key, TABLE.iter().map(|s| s.name));
                return Err(SettingsError::UnknownKey { place, key: key.clone(), suggestion });
            }
        }
    }
    let mut variables: Vec<_> = environment.filter(|(name, _)| name.starts_with(ENV_PREFIX)).collect();
    variables.sort();
    for (name, value) in variables {
        let rest = &name[ENV_PREFIX.len()..];
        let known = thresholds.set(&rest.to_lowercase(), &value).map_err(|reason| bad("environment", &name, &value, reason))?;
        if !known && !OTHER_VARIABLES.contains(&rest) {
            let near = suggest(&rest.to_lowercase(), TABLE.iter().map(|s| s.name));
            let near = near.map_or_else(String::new, |n| format!("; did you mean {ENV_PREFIX}{}?", n.to_uppercase()));
            warnings.push(format!("environment: no setting is called {name}{near}"));
        }
    }
    for (key, value) in flags {
        let flag = format!("--{}", key.replace('_', "-"));
        thresholds.set(&key, &value).map_err(|reason| bad("arguments", &flag, &value, reason))?;
    }
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
}
