//! `loopmortem.toml`.

use crate::error::SettingsError;
use crate::settings::{judges, suggest};
use crate::trace::judge::OwnJudge;
use std::path::{Path, PathBuf};

/// The file's name, looked for from the working directory upwards.
pub(super) const FILE_NAME: &str = "loopmortem.toml";

/// What a configuration file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigFile {
    /// Where it is, for messages.
    pub path: PathBuf,
    /// Rows of `[thresholds]`: name and value as text.
    pub thresholds: Vec<(String, String)>,
    /// `tz`: the zone of times in tables.
    pub tz: Option<String>,
    /// `prices`: a file laid over the embedded price list, relative to this file.
    pub prices: Option<PathBuf>,
    /// `baseline`: the manual baseline that runs are held against, relative to this file.
    pub baseline: Option<PathBuf>,
    /// `color`: auto, always or never.
    pub color: Option<String>,
    /// `[[judge]]`: commands that are checks by the user's own word, the longest first.
    pub judges: Vec<OwnJudge>,
}

/// The nearest `loopmortem.toml` from `start` upwards.
#[must_use]
pub fn find_config(start: &Path) -> Option<PathBuf> {
    start.ancestors().map(|dir| dir.join(FILE_NAME)).find(|path| path.is_file())
}

/// Reads a configuration file.
///
/// # Errors
/// The file cannot be read or parsed, or has a key that nothing knows (thresholds are checked by
/// [`resolve`](crate::settings::resolve)).
pub fn read_config(path: &Path) -> Result<ConfigFile, SettingsError> {
    const KEYS: &[&str] = &["thresholds", "tz", "color", "prices", "baseline", "judge"];
    let fail = |reason: String| SettingsError::File { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
    let root: toml::Table = text.parse().map_err(|e: toml::de::Error| fail(e.to_string().trim_end().to_owned()))?;
    let mut file = ConfigFile { path: path.to_owned(), ..ConfigFile::default() };
    let place = || path.display().to_string();
    for (key, value) in root {
        let wrong = |wanted: &str| SettingsError::BadValue {
            place: place(),
            key: key.clone(),
            value: value.to_string(),
            reason: format!("it takes {wanted}"),
        };
        match key.as_str() {
            "thresholds" => {
                for (name, value) in value.as_table().ok_or_else(|| wrong("a table"))? {
                    let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                    file.thresholds.push((name.clone(), text));
                }
            }
            "tz" => file.tz = Some(value.as_str().ok_or_else(|| wrong("a zone's name in quotes"))?.to_owned()),
            "color" => file.color = Some(value.as_str().ok_or_else(|| wrong("\"auto\", \"always\" or \"never\""))?.to_owned()),
            "judge" => file.judges = judges::read(&value, path, &text)?,
            "prices" | "baseline" => {
                let name = value.as_str().ok_or_else(|| wrong("a file's name in quotes"))?;
                let slot = if key == "prices" { &mut file.prices } else { &mut file.baseline };
                *slot = Some(path.parent().unwrap_or(Path::new("")).join(name));
            }
            _ => {
                let suggestion = suggest(&key, KEYS.iter().copied());
                return Err(SettingsError::UnknownKey { place: place(), key, suggestion });
            }
        }
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ConfigFile, SettingsError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE_NAME);
        std::fs::write(&path, text).unwrap();
        read_config(&path)
    }

    #[test]
    fn reads_thresholds_and_zone() {
        let file = read("tz = \"Europe/Berlin\"\n[thresholds]\nstuck_verdict = 5\nwalk_distinct = 0.7\n").unwrap();
        assert_eq!(file.tz.as_deref(), Some("Europe/Berlin"));
        assert_eq!(file.thresholds, [("stuck_verdict".to_owned(), "5".to_owned()), ("walk_distinct".to_owned(), "0.7".to_owned())]);
    }

    #[test]
    fn faults_name_the_place() {
        assert!(read("[thresholds").unwrap_err().to_string().contains("line 1"));
        assert!(read("treshold = 1").unwrap_err().to_string().ends_with("unknown setting `treshold`; did you mean `thresholds`?"));
        assert!(read("tz = 3").unwrap_err().to_string().contains("`tz` cannot be 3"));
    }

    #[test]
    fn is_found_upwards() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        assert_eq!(find_config(&deep), None);
        std::fs::write(dir.path().join(FILE_NAME), "").unwrap();
        assert_eq!(find_config(&deep), Some(dir.path().join(FILE_NAME)));
    }
}
