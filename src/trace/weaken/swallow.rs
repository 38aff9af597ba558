//! Failures that a test no longer lets through: a handler that does nothing around what is tested.

use std::collections::HashSet;

use super::lang::Lang;
use super::util::{has_any, has_word, hash};
use super::view::View;
use super::{Weakening, WeakeningKind};

/// So many lines at most are looked at on each side of a handler.
const REACH: usize = 60;

/// A handler that swallows.
struct Handler {
    line: usize,
    /// The lines that it guards.
    guards: (usize, usize),
    block: Option<usize>,
}

/// New handlers around old lines.
pub(super) fn compare(old: &View<'_>, new: &View<'_>) -> Vec<Weakening> {
    if !has_any(&new.text.bare, &["except", "catch", "rescue", "suppress(", "let _ =", ".ok();"]) {
        return Vec::new();
    }
    let known: HashSet<u64> = (0..old.text.lines.len()).filter(|l| old.says_something(*l)).map(|l| hash(&old.text.canon_line(l))).collect();
    // By text alone: the test around it may have another name by now.
    let mut before: HashSet<u64> = HashSet::new();
    for h in handlers(old) {
        before.extend(guarded(old, &h));
    }
    let mut found = Vec::new();
    for h in handlers(new) {
        // What is guarded must have been there, unguarded: a new try around new lines is clean-up or a probe.
        let newly = guarded(new, &h).any(|g| known.contains(&g) && !before.contains(&g));
        if newly {
            found.push(Weakening { kind: WeakeningKind::Swallowed, line: new.evidence(h.line), tests: new.names(h.block) });
        }
    }
    found.extend(ignored_results(old, new));
    found
}

fn guarded<'v>(view: &'v View<'_>, h: &Handler) -> impl Iterator<Item = u64> + 'v {
    (h.guards.0..h.guards.1).filter(|l| !view.text.idle(*l) && view.says_something(*l)).map(|l| hash(&view.text.canon_line(l)))
}

fn handlers(view: &View<'_>) -> Vec<Handler> {
    let text = &view.text;
    let mut found = Vec::new();
    for line in 0..text.lines.len() {
        if text.idle(line) {
            continue;
        }
        let code = text.bare(line).trim();
        let block = view.blocks.owner.get(line).copied().flatten();
        let suppresses = text.lang == Lang::Python && code.starts_with("with ") && code.contains("suppress(");
        if suppresses {
            // Here the guarded lines come after.
            found.extend(block_end(view, line).map(|end| Handler { line, guards: (line + 1, end), block }));
            continue;
        }
        if !opens_handler(text.lang, code) || !does_nothing(view, line) {
            continue;
        }
        if let Some(from) = guard_begin(view, line) {
            found.push(Handler { line, guards: (from, line), block });
        }
    }
    found
}

fn opens_handler(lang: Lang, code: &str) -> bool {
    match lang {
        Lang::Python => code.starts_with("except"),
        Lang::Js | Lang::Jvm | Lang::CSharp | Lang::Php | Lang::C => has_word(code, "catch"),
        Lang::Ruby => code.starts_with("rescue"),
        _ => false,
    }
}

/// The line behind the block that a line opens, by indentation.
fn block_end(view: &View<'_>, line: usize) -> Option<usize> {
    let indent = view.text.lines.get(line)?.indent;
    (line + 1..(line + REACH).min(view.text.lines.len()))
        .find(|l| !view.text.idle(*l) && view.text.lines.get(*l).is_some_and(|l| l.indent <= indent))
        .or(Some((line + REACH).min(view.text.lines.len())))
}

/// Whether a handler's body has nothing that lets the failure out or looks at it.
fn does_nothing(view: &View<'_>, line: usize) -> bool {
    let text = &view.text;
    let own = text.code(line).trim();
    let Some(end) = block_end(view, line) else { return false };
    // The body may stand on the handler's own line: `except X: pass`, `} catch {}`.
    let after = match text.lang {
        Lang::Python => own.rsplit_once(':').map_or("", |(_, body)| body),
        Lang::Ruby => own.split_once(';').map_or("", |(_, body)| body),
        _ => own.rsplit_once('{').map_or("", |(_, body)| body),
    };
    let body = std::iter::once(after).chain((line + 1..end).filter(|l| !text.idle(*l)).map(|l| text.code(l)));
    body.map(|l| l.trim().trim_end_matches(['}', ';', ')']).trim()).filter(|l| !l.is_empty()).all(is_idle)
}

fn is_idle(code: &str) -> bool {
    matches!(
        code,
        "pass"
            | "..."
            | "return"
            | "continue"
            | "nil"
            | "null"
            | "return true"
            | "return True"
            | "_ = e"
            | "void 0"
            | "return nil"
            | "// ignore"
    ) || [
        "print(",
        "console.",
        "logging.",
        "logger.",
        "log.",
        "System.out.",
        "puts ",
        "warnings.warn(",
        "echo ",
        "Console.Write",
        "pytest.skip(",
        "self.skipTest(",
        "e.printStackTrace(",
    ]
    .iter()
    .any(|p| code.starts_with(p))
        || matches!(code.replace(' ', "").as_str(), "assertTrue" | "expect(true).toBe(true" | "self.assertTrue(True")
}

/// The line behind the `try` of a handler.
fn guard_begin(view: &View<'_>, line: usize) -> Option<usize> {
    let text = &view.text;
    // `} catch (e) {` stands one step out of the guarded lines, like its `try`.
    let indent = text.lines.get(line)?.indent;
    let own = text.bare(line);
    if own.contains("try") && own.find("try") < own.find("catch") {
        return Some(line);
    }
    (line.saturating_sub(REACH)..line)
        .rev()
        .find(|l| {
            let bare = text.bare(*l).trim();
            !text.idle(*l)
                && text.lines.get(*l).is_some_and(|l| l.indent <= indent)
                && (bare.starts_with("try")
                    || bare == "begin"
                    || bare.ends_with("try {")
                    || text.lang == Lang::Ruby && bare.ends_with(" do"))
        })
        .map(|l| l + 1)
}

/// `f().unwrap();` that became `let _ = f();` or `f().ok();`.
fn ignored_results(old: &View<'_>, new: &View<'_>) -> Vec<Weakening> {
    if new.text.lang != Lang::Rust {
        return Vec::new();
    }
    let stripped = |line: &str| -> Option<String> {
        let at = [".unwrap()", ".expect(", "?;"].iter().filter_map(|t| line.rfind(t)).max()?;
        line.get(..at).map(|l| l.trim().to_owned())
    };
    let mut checked: HashSet<String> = HashSet::new();
    for line in 0..old.text.lines.len() {
        if old.blocks.owner.get(line).copied().flatten().is_some() || old.blocks.list.is_empty() {
            checked.extend(stripped(old.text.code(line)));
        }
    }
    let mut found = Vec::new();
    for line in 0..new.text.lines.len() {
        let code = new.text.code(line).trim();
        let block = new.blocks.owner.get(line).copied().flatten();
        let dropped = code.strip_prefix("let _ = ").map(|c| c.trim_end_matches(';')).or_else(|| code.strip_suffix(".ok();"));
        let in_test = block.is_some() || new.blocks.list.is_empty();
        if in_test && dropped.is_some_and(|d| checked.contains(d)) && !has_any(code, &[".unwrap()", ".expect("]) {
            found.push(Weakening { kind: WeakeningKind::Swallowed, line: new.evidence(line), tests: new.names(block) });
        }
    }
    found
}
