//! When the green of one check settles the red of another.

use super::scope::parts;
use super::table::{Lang, origin};
use super::{CheckKind, Judge};

/// Flags whose values add up: two of them pick more than one.
const ADDING: &[&str] = &["~", "-p", "--test", "-w"];

/// Does a green of `a` settle a red of `b`?
///
/// Both must be of one kind, and what `b` looks at must be what `a` looks at or lie inside it. Two runners of different
/// languages never settle each other; two different linters, type checkers or formatters do not either, as they look for
/// different things, but a general runner (`make lint`, a package script) and a special one may. A project's own script
/// or a configured judge is settled only by itself.
#[must_use]
pub fn covers(a: &Judge, b: &Judge) -> bool {
    a.kind == b.kind && related(a, b) && inside(&a.scope, &b.scope)
}

fn related(a: &Judge, b: &Judge) -> bool {
    if a.runner == b.runner {
        return true;
    }
    let ((a_lang, a_general), (b_lang, b_general)) = (origin(a.runner), origin(b.runner));
    let kin = match (a_lang, b_lang) {
        (Lang::Own, _) | (_, Lang::Own) => false,
        (Lang::Any, _) | (_, Lang::Any) => true,
        (Lang::Other, _) | (_, Lang::Other) => false,
        (x, y) => x == y,
    };
    let alike = matches!(a.kind, CheckKind::Test | CheckKind::Build) || a_general || b_general;
    kin && alike
}

/// Does scope `b` lie inside scope `a`?
fn inside(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (a_paths, a_marks) = split(a);
    let (b_paths, b_marks) = split(b);
    let under = |path: &&str| a_paths.iter().any(|base| below(base, path));
    // Everything lies below a folder above it.
    let all = |base: &&str| base.split('/').all(|part| part == "..");
    let outside = b_paths.iter().any(|path| path.split('/').next() == Some(".."));
    let paths =
        a_paths.is_empty() && !outside || a_paths.iter().any(all) && b_paths.is_empty() || !b_paths.is_empty() && b_paths.iter().all(under);
    let variants = |marks: &[&str]| marks.iter().filter(|m| m.starts_with('+')).map(|m| (*m).to_owned()).collect::<Vec<_>>();
    paths
        && variants(&a_marks) == variants(&b_marks)
        && a_marks.iter().filter(|m| !m.starts_with('+')).all(|mark| picks_as_much(mark, &a_marks, &b_marks))
}

/// Of the flag that `mark` is about, does `b` pick nothing that `a` leaves out?
fn picks_as_much(mark: &str, a: &[&str], b: &[&str]) -> bool {
    let flag = flag_of(mark);
    let of_flag = |marks: &[&str]| marks.iter().filter(|m| flag_of(m) == flag).map(|m| (*m).to_owned()).collect::<Vec<_>>();
    let (mine, theirs) = (of_flag(a), of_flag(b));
    if ADDING.contains(&flag) { !theirs.is_empty() && theirs.iter().all(|one| mine.contains(one)) } else { mine == theirs }
}

fn flag_of(mark: &str) -> &str {
    if mark.starts_with('~') { "~" } else { mark.split('=').next().unwrap_or(mark) }
}

fn split(scope: &str) -> (Vec<&str>, Vec<&str>) {
    parts(scope).partition(|part| !part.starts_with(['-', '~', '+', '=']))
}

/// Also a test in its file, a parameter of its test, and a line of its file.
fn below(base: &str, path: &str) -> bool {
    let ups = |path: &str| path.split('/').take_while(|part| *part == "..").count();
    if base.split('/').all(|part| part == "..") {
        return ups(path) <= ups(base);
    }
    path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ':', '[']))
}
