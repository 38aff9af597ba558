//! The JSON Schemas (draft 2020-12) of what is printed. They stand in `schemas/`; where one refers to another, the printed
//! form holds both, so that a validator needs no second file.

use serde_json::Value;

/// A published schema.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// What `schema` takes.
    pub name: &'static str,
    /// Whose output it describes.
    pub about: &'static str,
    /// Its file in `schemas/`.
    pub file: &'static str,
    /// The text of that file.
    pub text: &'static str,
    /// The schemas that it refers to.
    pub uses: &'static [&'static str],
}

/// All of them.
pub const ALL: &[Schema] = &[
    Schema {
        name: "triage",
        about: "loopmortem triage --json",
        file: "triage.json",
        text: include_str!("../../schemas/triage.json"),
        uses: &[],
    },
    Schema {
        name: "report",
        about: "report.json of loopmortem report",
        file: "report.json",
        text: include_str!("../../schemas/report.json"),
        uses: &["triage"],
    },
    Schema {
        name: "check",
        about: "loopmortem check --json",
        file: "check.json",
        text: include_str!("../../schemas/check.json"),
        uses: &["triage"],
    },
];

/// A schema with those that it refers to, embedded under `$defs` by their own `$id`.
///
/// # Errors
/// The parser's, if a published file were no JSON.
pub fn bundle(schema: &Schema) -> serde_json::Result<String> {
    let mut document: Value = serde_json::from_str(schema.text)?;
    for other in ALL.iter().filter(|s| schema.uses.contains(&s.name)) {
        if let Some(defs) = document.get_mut("$defs").and_then(Value::as_object_mut) {
            defs.insert(other.name.to_owned(), serde_json::from_str(other.text)?);
        }
    }
    serde_json::to_string_pretty(&document)
}
