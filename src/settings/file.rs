//! `loopmortem.toml`.

use crate::error::SettingsError;
use crate::input::read_text;
use crate::settings::{judges, suggest};
use crate::trace::judge::OwnJudge;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::de::DeTable;

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
    /// On which line each key stands; those of `[thresholds]` as `thresholds.NAME`.
    pub lines: BTreeMap<String, usize>,
}

impl ConfigFile {
    /// Where a key stands, for messages: `loopmortem.toml:3`.
    #[must_use]
    pub fn place(&self, key: &str) -> String {
        let path = self.path.display();
        self.lines.get(key).map_or_else(|| path.to_string(), |line| format!("{path}:{line}"))
    }
}

/// On which line each key of a file stands.
fn lines(text: &str) -> BTreeMap<String, usize> {
    let line = |at: usize| 1 + text.bytes().take(at).filter(|b| *b == b'\n').count();
    let mut found = BTreeMap::new();
    let Ok(root) = DeTable::parse(text) else { return found };
    for (key, value) in root.get_ref() {
        let name = key.get_ref();
        found.insert(name.to_string(), line(key.span().start));
        for (below, _) in value.get_ref().as_table().into_iter().flatten() {
            found.insert(format!("{name}.{}", below.get_ref()), line(below.span().start));
        }
    }
    found
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
    let text = read_text(path).map_err(|e| fail(e.to_string()))?;
    let root: toml::Table = text.parse().map_err(|e: toml::de::Error| fail(e.to_string().trim_end().to_owned()))?;
    let mut file = ConfigFile { path: path.to_owned(), lines: lines(&text), ..ConfigFile::default() };
    for (key, value) in root {
        let place = file.place(&key);
        let wrong = |wanted: &str| SettingsError::BadValue {
            place: place.clone(),
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
                return Err(SettingsError::UnknownKey { place, key, suggestion });
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
        let unknown = read("\n\ntreshold = 1").unwrap_err().to_string();
        assert!(unknown.ends_with("loopmortem.toml:3: unknown setting `treshold`; did you mean `thresholds`?"), "{unknown}");
        assert!(read("tz = 3").unwrap_err().to_string().contains("loopmortem.toml:1: `tz` cannot be 3"));
    }

    #[test]
    fn every_key_knows_its_line() {
        let file = read("# ours\ntz = \"UTC\"\r\n\n[thresholds]\nstuck_verdict = 5\n\"walk_reds\" = \\\n6\n".replace("\\\n", "").as_str())
            .unwrap();
        let at = |key| file.place(key).rsplit(':').next().unwrap().to_owned();
        assert_eq!([at("tz"), at("thresholds"), at("thresholds.stuck_verdict"), at("thresholds.walk_reds")], ["2", "4", "5", "6"]);
        assert!(file.place("prices").ends_with("loopmortem.toml"));
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
