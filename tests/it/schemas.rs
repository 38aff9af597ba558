//! What is printed is what the published schemas say. Fields that no schema names are faults of the schema.

use crate::fixtures::cases;
use crate::support::{fixtures, program, triage};
use boon::{Compiler, SchemaIndex, Schemas};
use loopmortem::diagnose::{Ending, KINDS};
use loopmortem::report::schema::ALL;
use serde_json::Value;
use std::path::Path;

pub(crate) struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    /// From what `schema NAME` prints. Here nothing beyond the named fields is allowed, so that a new one must be described.
    pub(crate) fn new(name: &str) -> Self {
        let output = program().args(["schema", name]).output().unwrap();
        let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
        close(&mut document);
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.enable_format_assertions();
        let at = format!("https://example.com/{name}.json");
        compiler.add_resource(&at, document).unwrap();
        let index = compiler.compile(&at, &mut schemas).unwrap_or_else(|e| panic!("{name}: {e:#}"));
        Self { schemas, index }
    }

    pub(crate) fn faults(&self, document: &Value) -> Option<String> {
        self.schemas.validate(document, self.index).err().map(|e| format!("{e:#}"))
    }
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.get("properties").is_some_and(Value::is_object) && map.get("type").is_some_and(|t| t == "object") {
                map.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            map.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[test]
fn triage_of_every_fixture_fits_its_schema() {
    let validator = Validator::new("triage");
    for case in cases() {
        let document = triage(&case, "2026-11-29T08:00:00Z", &[]);
        if let Some(fault) = validator.faults(&document) {
            panic!("{}: {fault}", case.display());
        }
    }
}

#[test]
fn report_and_check_fit_their_schemas() {
    let (report, check) = (Validator::new("report"), Validator::new("check"));
    let dir = tempfile::tempdir().unwrap();
    let policy = dir.path().join("policy.toml");
    std::fs::write(&policy, "[forbid]\nhealth = ['failing']\n[max]\nrun_usd = 1\ntotal_usd = 1\nwaste_share = 0.1\n[min]\ngreens = 1\n")
        .unwrap();
    let old = dir.path().join("report.json");
    // The second round compares with the first.
    for round in 0..2 {
        for folder in ["overnight", "hostile", "modes", "formats/claude-code", "formats/codex"] {
            let mut command = program();
            command.arg("report").arg(fixtures().join(folder)).arg("--out").arg(dir.path().join("out"));
            command.args(["--as-of", "2026-11-29T08:00:00Z", "--since", "30d"]);
            if round > 0 {
                command.arg("--compare").arg(&old);
            }
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{folder}: {}", String::from_utf8_lossy(&output.stderr));
            let document = read(&dir.path().join("out/report.json"));
            if let Some(fault) = report.faults(&document) {
                panic!("report of {folder}: {fault}");
            }
            let output = program().args(["check", "--json", "--policy"]).arg(&policy).arg(fixtures().join(folder)).output().unwrap();
            if let Some(fault) = check.faults(&serde_json::from_slice(&output.stdout).unwrap()) {
                panic!("check of {folder}: {fault}");
            }
        }
        std::fs::rename(dir.path().join("out/report.json"), &old).unwrap();
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn documents_of_nothing_fit_too() {
    let dir = tempfile::tempdir().unwrap();
    let empty = dir.path().join("runs");
    std::fs::create_dir(&empty).unwrap();
    let policy = dir.path().join("policy.toml");
    std::fs::write(&policy, "[max]\nlost_lines = 0\n").unwrap();
    let out = dir.path().join("out");
    let output = program().arg("report").arg(&empty).arg("--out").arg(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(Validator::new("report").faults(&read(&out.join("report.json"))), None);
    assert!(std::fs::read_to_string(out.join("index.html")).unwrap().contains("No run failed."));
    let output = program().args(["check", "--json", "--policy"]).arg(&policy).arg(&empty).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(Validator::new("check").faults(&serde_json::from_slice(&output.stdout).unwrap()), None);
}

/// A value that the schema forbids must not pass: otherwise the tests above show nothing.
#[test]
fn the_schemas_can_refuse() {
    let validator = Validator::new("triage");
    let document = triage(&fixtures().join("overnight"), "2026-11-29T08:00:00Z", &[]);
    assert_eq!(validator.faults(&document), None);
    for (pointer, value) in [
        ("/runs/0/mode", Value::from("stuk")),
        ("/runs/0/cost/usd", Value::from(0.5)),
        ("/runs/0/iterations", Value::Null),
        ("/as_of", Value::from("yesterday")),
        ("/schema_version", Value::from("2.0")),
        ("/runs/0/findings/0/evidence", Value::Array(Vec::new())),
    ] {
        let mut wrong = document.clone();
        *wrong.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        assert!(validator.faults(&wrong).is_some(), "{pointer}");
    }
    let asked = triage(&fixtures().join("overnight"), "2026-11-29T08:00:00Z", &["--group-by", "agent,ending", "--expect", "20"]);
    assert!(asked["groups"].as_array().is_some_and(|g| g.len() > 5) && asked["never_started"]["found"] == 18, "{asked}");
    assert_eq!(validator.faults(&asked), None);
    let mut more = document;
    more["runs"][0]["brand_new"] = Value::Null;
    assert!(validator.faults(&more).is_some());
}

#[test]
fn names_come_from_the_one_table() {
    let schema: Value = serde_json::from_str(ALL.iter().find(|s| s.name == "triage").unwrap().text).unwrap();
    let list = |name: &str| -> Vec<String> {
        schema["$defs"][name]["enum"].as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(list("mode"), KINDS.iter().filter(|k| k.is_mode).map(|k| k.id).collect::<Vec<_>>());
    assert_eq!(list("kind"), KINDS.iter().map(|k| k.id).collect::<Vec<_>>());
    assert_eq!(list("ending"), Ending::ALL.iter().map(|(_, id, _)| *id).collect::<Vec<_>>());
}

#[test]
fn schema_lists_and_suggests() {
    let list = String::from_utf8(program().arg("schema").output().unwrap().stdout).unwrap();
    assert!(ALL.iter().all(|s| list.contains(s.name)), "{list}");
    let wrong = program().args(["schema", "trige"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean `triage`?"));
    for s in ALL {
        let file = std::fs::read_to_string(fixtures().join("../schemas").join(s.file)).unwrap();
        assert_eq!(file, s.text);
    }
}
