//! Tests that are no longer run although they are still there.

use std::collections::HashSet;

use super::blocks::Block;
use super::lang::Lang;
use super::mask::Text;
use super::util::{has_any, has_word, words};
use super::view::View;
use super::{Weakening, WeakeningKind};

/// How far above a line the function around it is looked for.
const HELPER_REACH: usize = 40;

/// Tests that a write takes out of the run.
pub(super) struct Skips {
    pub(super) found: Vec<Weakening>,
    /// The identities of the tests that are skipped now.
    pub(super) ids: HashSet<String>,
}

/// Compares two sides of a write. `existing` says that the file was there before, even where `old` shows nothing of it.
pub(super) fn compare(old: &View<'_>, new: &View<'_>, existing: bool) -> Skips {
    let mut skips = Skips { found: Vec::new(), ids: HashSet::new() };
    if !existing {
        return skips;
    }
    let before: HashSet<String> = marks(old).into_iter().map(|(l, at)| key(old, l, at)).collect();
    let old_lines: HashSet<&str> = (0..old.text.lines.len()).map(|l| old.text.raw(l).trim()).collect();
    let old_ids = old.ids();
    let was_only = old.blocks.list.iter().any(|b| b.only);
    for (line, at) in marks(new) {
        // The same mark may stand on a longer line now, so it counts once for each test and not for each text.
        let fresh_here = match at {
            Some(i) => new.blocks.list.get(i).is_some_and(|b| old_ids.contains(b.id.as_str())) && !before.contains(&key(new, line, at)),
            None => !old_lines.contains(new.text.raw(line).trim()) && !before.contains(&key(new, line, at)),
        };
        // A helper that came with the write skips what came with it.
        if at.is_none() && in_new_helper(new, line, &old_lines) {
            continue;
        }
        let only =
            at.and_then(|i| new.blocks.list.get(i)).is_some_and(|b| b.only && !was_only && b.decl == line && !old.text.raw.is_empty());
        if !fresh_here && !only {
            continue;
        }
        let tests = affected(new, at);
        if !only {
            skips.ids.extend(tests.iter().map(|(id, _)| id.clone()));
        }
        let tests: Vec<String> = tests.into_iter().map(|(_, name)| name).collect();
        if skips.found.iter().all(|w| w.tests != tests || w.line != new.evidence(line)) {
            skips.found.push(Weakening { kind: WeakeningKind::Skipped, line: new.evidence(line), tests });
        }
    }
    skips
}

/// Whether a line stands in a function that the old side does not have.
fn in_new_helper(new: &View<'_>, line: usize, old_lines: &HashSet<&str>) -> bool {
    let indent = |l: usize| new.text.lines.get(l).map_or(0, |l| l.indent);
    let begins = (line.saturating_sub(HELPER_REACH)..line).rev().find(|l| {
        let code = new.text.bare(*l).trim_start();
        indent(*l) < indent(line) && ["def ", "async def ", "function ", "fn ", "func "].iter().any(|d| code.starts_with(d))
    });
    begins.is_some_and(|l| !old_lines.contains(new.text.raw(l).trim()))
}

fn key(view: &View<'_>, line: usize, at: Option<usize>) -> String {
    at.and_then(|i| view.blocks.list.get(i))
        .map_or_else(|| format!("\u{1}{}", words(view.text.bare(line)).take(3).collect::<Vec<_>>().join(" ")), |b| b.id.clone())
}

/// The tests that a mark on a test or suite takes out, as identity and name.
fn affected(view: &View<'_>, at: Option<usize>) -> Vec<(String, String)> {
    let Some((index, block)) = at.and_then(|i| view.blocks.list.get(i).map(|b| (i, b))) else { return Vec::new() };
    let inner = view.blocks.list.iter().skip(index + 1).take_while(|b| b.decl < block.end).filter(|b| !b.suite);
    if block.suite { inner.map(|b| (b.id.clone(), b.name.clone())).collect() } else { vec![(block.id.clone(), block.name.clone())] }
}

/// Whether a test was skipped already.
pub(super) fn inside(view: &View<'_>, block: &Block) -> bool {
    block.skipped || (block.head..block.end).any(|l| !view.text.idle(l) && marked(&view.text, l))
}

/// The lines that skip something, with the test or suite that they skip.
fn marks(view: &View<'_>) -> Vec<(usize, Option<usize>)> {
    let mut found = Vec::new();
    for (i, b) in view.blocks.list.iter().enumerate() {
        if b.skipped || b.only {
            found.push((b.decl, Some(i)));
        }
    }
    // Which block's decorators a line belongs to; suites own no lines, but their heads do.
    let mut head_of = vec![None; view.text.lines.len()];
    for (i, b) in view.blocks.list.iter().enumerate() {
        head_of.iter_mut().take(b.decl + 1).skip(b.head).for_each(|slot| *slot = Some(i));
    }
    for line in 0..view.text.lines.len() {
        // Go's build tags are comments.
        if view.text.lang == Lang::Go && has_any(view.text.raw(line), &["//go:build ignore", "// +build ignore"]) {
            found.push((line, None));
        }
        if view.text.idle(line) {
            continue;
        }
        let owner = head_of.get(line).copied().flatten().or_else(|| view.blocks.owner.get(line).copied().flatten());
        if marked(&view.text, line) || early_return(view, line, owner) {
            found.push((line, owner));
        }
    }
    found
}

/// `return` as the first thing of a test that claims something further down.
fn early_return(view: &View<'_>, line: usize, owner: Option<usize>) -> bool {
    let code = view.text.code(line).trim();
    if !matches!(code, "return" | "return;" | "return nil" | "return Ok(())" | "return Ok(());") {
        return false;
    }
    let Some((index, block)) = owner.and_then(|i| view.blocks.list.get(i).map(|b| (i, b))) else { return false };
    let indent = |l: usize| view.text.lines.get(l).map_or(0, |l| l.indent);
    let body = (block.decl + 1..block.end).find(|l| !view.text.idle(*l) && view.says_something(*l)).map(indent);
    body == Some(indent(line)) && view.claims.iter().any(|c| c.block == Some(index) && c.line > line)
}

/// Whether a line skips a test, by the words of its language's runners.
fn marked(text: &Text<'_>, line: usize) -> bool {
    let bare = text.bare(line);
    let code = bare.trim();
    if matches!(code, "if False:" | "if 0:" | "if (false) {" | "if false {" | "#if 0" | "if false; then" | "if false") {
        return true;
    }
    match text.lang {
        Lang::Python => {
            has_any(
                code,
                &[
                    "mark.skip",
                    "mark.xfail",
                    "@unittest.skip",
                    "@unittest.expectedFailure",
                    "pytest.skip(",
                    "pytest.xfail(",
                    "self.skipTest(",
                    "unittest.SkipTest",
                    "pytest.importorskip(",
                ],
            ) || code.starts_with("@skip")
                || code.starts_with("@expectedFailure")
                || code.starts_with("@xfail")
                || code == "__test__ = False"
        }
        Lang::Js => {
            has_any(code, &["this.skip()", "t.skip(", "ctx.skip(", "context.skip("])
                || (code.starts_with("test.skip(") || code.starts_with("test.fixme(") || code.starts_with("test.fail("))
                    && !code.contains("=>")
        }
        Lang::Rust => {
            code.starts_with("#[ignore")
                || code.contains("#[cfg(any())]")
                || code.contains("#[cfg(FALSE)]")
                || code.contains("#[cfg(false)]")
                || code.starts_with("#[cfg_attr(") && has_word(code, "ignore")
        }
        Lang::Go => has_any(code, &["t.Skip(", "t.Skipf(", "t.SkipNow()", ".T().Skip("]),
        Lang::Jvm => {
            code.starts_with("@Disabled")
                || code.starts_with("@Ignore")
                || has_any(
                    code,
                    &[
                        " @Disabled",
                        " @Ignore",
                        "@EnabledIf",
                        "@EnabledOnOs",
                        "assumeTrue(",
                        "assumeFalse(",
                        "assumeThat(",
                        "Assumptions.assume",
                    ],
                )
        }
        Lang::CSharp => {
            code.starts_with("[Ignore")
                || code.starts_with("[Explicit")
                || code.starts_with("[Skip")
                || has_any(
                    code,
                    &["(Skip =", "(Skip=", ", Skip =", "Assert.Ignore(", "Assert.Inconclusive(", "Skip.If", ", Ignore", "Ignore ="],
                )
        }
        Lang::Ruby => {
            code == "skip"
                || code == "pending"
                || code.starts_with("skip ")
                || code.starts_with("pending ")
                || code.starts_with("skip(")
                || code.starts_with("pending(")
        }
        Lang::Php => has_any(code, &["markTestSkipped(", "markTestIncomplete(", "->skip(", "->todo("]),
        Lang::C => has_any(code, &["GTEST_SKIP()", "TEST_IGNORE(", "SKIP(", "DISABLED_"]) && !code.starts_with("TEST"),
        Lang::Shell => code == "skip" || code.starts_with("skip "),
        Lang::Keyed | Lang::Json | Lang::Other => false,
    }
}
