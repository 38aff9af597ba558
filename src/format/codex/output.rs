//! What a tool answered, out of the wrappers that releases have put around it: JSON with metadata, text that begins with
//! the exit code, text in chunks, objects, blocks, and the errors of calls that did not run.

use super::record::{flat, part};
use crate::format::json::Loose;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// An answer without its wrapper.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Output<'a> {
    /// What was printed.
    pub(super) text: Cow<'a, str>,
    /// The exit code, where the wrapper has one.
    pub(super) exit_code: Option<i32>,
    /// Whether it worked, where that is known.
    pub(super) ok: Option<bool>,
    /// The process still runs under this number.
    pub(super) running: Option<String>,
    /// The wrapper says that the process ended.
    pub(super) exited: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Wrapper<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    success: Loose<'a>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Metadata<'a> {
    exit_code: Loose<'a>,
}

/// How answers begin where nothing was carried out, or not to its end.
const ERRORS: &[&str] = &[
    "execution error:",
    "apply_patch verification failed",
    "apply_patch handler received",
    "patch rejected",
    "exec_command failed",
    "exec command rejected",
    "write_stdin failed",
    "aborted by user",
    "rejected by user",
    "unsupported call",
    "unsupported custom tool call",
    "failed to parse function arguments",
    "collab spawn failed",
];

/// How an answer begins that the sandbox gave in place of the tool.
const SANDBOX: &str = "failed in sandbox";

/// Reads the answer of a call.
pub(super) fn read(raw: Option<&RawValue>) -> Output<'_> {
    if raw.is_none_or(|r| !r.get().starts_with('{')) {
        return unwrap(flat(raw));
    }
    let wrapper: Wrapper<'_> = part(raw);
    let mut output = match wrapper.content.or(wrapper.output) {
        Some(inner) => unwrap(flat(Some(inner))),
        None => Output { text: raw.map_or("", RawValue::get).into(), ..Output::default() },
    };
    output.exit_code = output.exit_code.or(part::<Metadata<'_>>(wrapper.metadata).exit_code.whole());
    output.ok = output.ok.or(wrapper.success.truth()).or(output.exit_code.map(|code| code == 0));
    output
}

fn unwrap(text: Cow<'_, str>) -> Output<'_> {
    if text.starts_with('{')
        && let Some(output) = json(&text)
    {
        return output;
    }
    if text.starts_with(SANDBOX) {
        let exit_code = text.split_once("exit code: ").and_then(|(_, rest)| leading_number(rest));
        let from = text.find("stdout: ").map_or(0, |at| at + "stdout: ".len());
        return Output { text: tail(text, from), exit_code, ok: Some(false), ..Output::default() };
    }
    if ERRORS.iter().any(|e| text.starts_with(e)) {
        return Output { text, ok: Some(false), ..Output::default() };
    }
    headed(text)
}

/// `{"output": …, "metadata": {"exit_code": …}}` as text. Other JSON is what the tool itself printed.
fn json(text: &str) -> Option<Output<'static>> {
    let wrapper: Wrapper<'_> = serde_json::from_str(text).ok()?;
    let (printed, metadata) = (wrapper.output?, wrapper.metadata?);
    let exit_code = part::<Metadata<'_>>(Some(metadata)).exit_code.whole();
    Some(Output { text: flat(Some(printed)).into_owned().into(), exit_code, ok: exit_code.map(|code| code == 0), ..Output::default() })
}

/// Lines about the process above what it printed.
fn headed(text: Cow<'_, str>) -> Output<'_> {
    let mut output = Output::default();
    let (mut from, mut wrapped) = (0, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        if let Some(code) = bare.strip_prefix("Exit code: ").or_else(|| bare.strip_prefix("Process exited with code ")) {
            output.exit_code = leading_number(code);
            output.exited = true;
        } else if let Some(number) = bare.strip_prefix("Process running with session ID ") {
            output.running = Some(number.trim().to_owned());
        } else if !["Chunk ID: ", "Wall time: ", "Original token count: ", "Total output lines: "].iter().any(|h| bare.starts_with(h))
            && bare != "Output:"
        {
            break;
        }
        wrapped = true;
        from += line.len();
        if bare == "Output:" {
            break;
        }
    }
    if !wrapped {
        return Output { text, ..output };
    }
    // A shortened answer says so below the heading as well.
    let rest = text.get(from..).unwrap_or("");
    if let Some(line) = rest.split_inclusive('\n').next()
        && line.starts_with("Total output lines: ")
    {
        from += line.len();
        from += usize::from(text.get(from..).is_some_and(|t| t.starts_with('\n')));
    }
    output.ok = output.exit_code.map(|code| code == 0);
    output.text = tail(text, from);
    output
}

/// The text from a byte on.
fn tail(text: Cow<'_, str>, from: usize) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(t) => Cow::Borrowed(t.get(from..).unwrap_or("")),
        Cow::Owned(t) => Cow::Owned(t.get(from..).unwrap_or("").to_owned()),
    }
}

/// The whole number at the beginning of a text.
fn leading_number(text: &str) -> Option<i32> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    text.get(..digits)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> (String, Option<i32>, Option<bool>, Option<String>) {
        let raw: &RawValue = serde_json::from_str(json).unwrap();
        let output = read(Some(raw));
        (output.text.into_owned(), output.exit_code, output.ok, output.running)
    }

    #[test]
    fn the_four_dialects() {
        let red = ("1 failed\n".to_owned(), Some(1), Some(false), None);
        assert_eq!(of(r#""{\"output\":\"1 failed\\n\",\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.2}}""#), red);
        assert_eq!(of(r#""Exit code: 1\nWall time: 0.2 seconds\nTotal output lines: 9\nOutput:\n1 failed\n""#), red);
        assert_eq!(
            of(r#""Chunk ID: 0f\nWall time: 0.2 seconds\nProcess exited with code 1\nOriginal token count: 3\nOutput:\n1 failed\n""#),
            red
        );
        assert_eq!(of(r#"{"content":"Exit code: 1\nOutput:\n1 failed\n","success":false}"#), red);
    }

    #[test]
    fn a_process_that_runs_has_no_outcome() {
        assert_eq!(
            of(r#""Chunk ID: 0f\nWall time: 10.0 seconds\nProcess running with session ID 12\nOriginal token count: 0\nOutput:\n""#),
            (String::new(), None, None, Some("12".to_owned()))
        );
    }

    #[test]
    fn a_shortened_answer_and_one_without_an_exit_code() {
        assert_eq!(of(r#""Wall time: 1.5 seconds\nOutput:\nTotal output lines: 40\n\na\nb""#), ("a\nb".to_owned(), None, None, None));
        assert_eq!(of(r#""Exit code: 0\nWall time: 0.1 seconds""#), (String::new(), Some(0), Some(true), None));
    }

    #[test]
    fn what_a_tool_printed_itself_stays() {
        assert_eq!(of(r#""{\"output\":\"x\"}""#), (r#"{"output":"x"}"#.to_owned(), None, None, None));
        assert_eq!(of(r#""Plan updated""#), ("Plan updated".to_owned(), None, None, None));
        assert_eq!(of(r#"[{"type":"input_text","text":"a"},{"type":"input_image"},{"type":"input_text","text":"b"}]"#).0, "a\nb");
        assert_eq!(of("null"), (String::new(), None, None, None));
        assert_eq!(of(r#"{"other":1}"#).0, r#"{"other":1}"#);
    }

    #[test]
    fn calls_that_did_not_run() {
        assert_eq!(of(r#""apply_patch verification failed: no such lines""#).2, Some(false));
        assert_eq!(of(r#""aborted by user after 3.0s""#), ("aborted by user after 3.0s".to_owned(), None, Some(false), None));
        assert_eq!(
            of(r#""failed in sandbox X with execution error: denied, exit code: 101, stdout: 1 failed, stderr: ""#),
            ("1 failed, stderr: ".to_owned(), Some(101), Some(false), None)
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*|(Output:|Exit code: |Total output lines: |\n|[0-9é-]|failed in sandbox|stdout: ){0,12}") {
            let json = serde_json::to_string(&text).unwrap();
            let output = of(&json);
            let wrapped = text.starts_with('{');
            proptest::prop_assert!(wrapped || text.ends_with(&output.0));
        }
    }
}
