//! Goes through a command line in the order of execution, keeps the directory and the shell's options, and decides for
//! each judge whether the exit code of the whole is its own.
//!
//! The exit code of a list is that of its last pipeline, and of a pipeline that of its last command. So a judge's
//! failure is seen when everything after it is skipped (`&&`), when the shell stops at once (`set -e`), or when its
//! status is carried over (`exit $?`, `rc=$?; …; exit $rc`); and its success when it runs in any case.

use super::command::{self, Reading, assignment, base};
use super::dir::Dir;
use super::output::{self, Teller};
use super::shell::{Item, Joint, Stage, Word, lex, parse};
use super::{Judge, OwnJudge};

/// A shell in a shell in a shell, deeper than anyone writes it.
const MAX_DEPTH: u8 = 8;

/// What a shell carries from one command to the next.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    pub(super) dir: Dir,
    before: Option<Dir>,
    errexit: bool,
    pipefail: bool,
}

impl Shell {
    pub(super) fn new(dir: Dir) -> Self {
        Shell { dir, before: None, errexit: false, pipefail: false }
    }
}

pub(super) struct Walk<'o> {
    own: &'o [OwnJudge],
    out: Vec<Judge>,
    /// The lines that `echo` prints.
    printed: Vec<String>,
    /// What runs now is piped into something that may leave failures out.
    muffled: bool,
    /// What runs now is piped into a filter at the end.
    filtered: bool,
    /// Something that may fail itself runs only after what runs now has succeeded.
    followed: bool,
    depth: u8,
}

/// How a failure fares behind the pipeline in which it happened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Lost,
    Kept,
    /// The status of the pipeline's first command is asked for.
    KeptFirst,
}

/// What a pipeline does to the status before it.
enum Effect<'t> {
    /// It has its own.
    Replaces,
    /// It fails, and the shell ends.
    Stops,
    /// It fails.
    Fails,
    /// It passes the status on; `first`: that of the first command in the pipeline.
    Passes { first: bool },
    /// It fails if the status is not 0, and the shell goes on.
    Repeats { first: bool },
    /// It keeps the status in a variable.
    Saves { name: &'t str, first: bool },
}

impl<'o> Walk<'o> {
    pub(super) fn new(own: &'o [OwnJudge]) -> Self {
        Walk { own, out: Vec::new(), printed: Vec::new(), muffled: false, filtered: false, followed: false, depth: 0 }
    }

    pub(super) fn finish(mut self) -> Vec<Judge> {
        for judge in self.out.iter_mut().filter(|judge| judge.hides_exit && judge.told.is_none()) {
            judge.printed.clone_from(&self.printed);
        }
        self.out
    }

    /// A whole command line. `hidden`: its exit code is lost to whoever looks from outside.
    pub(super) fn text(&mut self, text: &str, shell: &mut Shell, hidden: bool) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        self.depth += 1;
        let tokens = lex(text);
        self.list(&parse(&tokens), shell, hidden);
        self.depth -= 1;
    }

    fn list(&mut self, items: &[Item<'_, '_>], shell: &mut Shell, hidden: bool) {
        let fates = fates(items);
        // What runs in the background has a shell of its own, one for all that `&&` joins.
        let mut aside = None;
        for (at, item) in items.iter().enumerate() {
            let fate = fates.get(at).copied().unwrap_or(Fate::Lost);
            let chain_ends = items.get(at + 1).is_none_or(|next| next.joint == Joint::Seq);
            let stops = shell.errexit && chain_ends;
            let hidden = hidden || item.negated || item.background || item.joint == Joint::Or || fate == Fate::Lost && !stops;
            let plain = !item.background && !item.negated && item.joint != Joint::Or;
            let teller = if plain { output::teller(items, at) } else { None };
            let outer = self.followed;
            self.followed |= items.iter().skip(at + 1).take_while(|next| next.joint == Joint::And).any(|next| !output::cannot_fail(next));
            if item.background {
                if item.joint == Joint::Seq {
                    aside = None;
                }
                self.pipeline(item, aside.get_or_insert_with(|| shell.clone()), hidden, fate, None);
            } else {
                self.pipeline(item, shell, hidden, fate, teller.as_ref());
            }
            self.followed = outer;
        }
    }

    fn pipeline(&mut self, item: &Item<'_, '_>, shell: &mut Shell, hidden: bool, fate: Fate, teller: Option<&Teller>) {
        let last = item.stages.len().saturating_sub(1);
        // The last command after which the pipeline's status is a filter's own word (`| grep FAIL`).
        let filter = item.stages.iter().rposition(|stage| is_filter(stage)).unwrap_or(0);
        let mut fed: Option<String> = None;
        for (at, stage) in item.stages.iter().enumerate() {
            let seen = if fate == Fate::KeptFirst { at == 0 } else { at == last || shell.pipefail && at >= filter };
            let hidden = hidden || !seen;
            // In a pipeline each command has a shell of its own.
            let mut own = (last > 0).then(|| shell.clone());
            let shell = own.as_mut().unwrap_or(shell);
            let (outer, before) = ((self.muffled, self.filtered), self.out.len());
            let told = teller.filter(|teller| if teller.first { at == 0 } else { at == last || shell.pipefail });
            self.muffled |= !item.stages.iter().skip(at + 1).all(output::keeps_failures);
            self.filtered |= at < last && output::is_filtered(item);
            match stage {
                Stage::Simple { words, stdin } => {
                    let stdin = stdin.map(str::to_owned).or(fed.take());
                    self.simple(words, stdin.as_deref(), shell, hidden);
                    fed = if at < last { printed(words, stdin) } else { None };
                }
                Stage::Group { list, subshell, conditional } => {
                    let mut own = subshell.then(|| shell.clone());
                    self.list(list, own.as_mut().unwrap_or(shell), hidden || *conditional);
                }
            }
            (self.muffled, self.filtered) = outer;
            if let Some(teller) = told {
                let hiding = |judge: &&mut Judge| judge.hides_exit && judge.told.is_none();
                self.out.iter_mut().skip(before).filter(hiding).for_each(|judge| judge.told = Some(teller.told.clone()));
            }
        }
    }

    fn simple(&mut self, words: &[&Word<'_>], stdin: Option<&str>, shell: &mut Shell, hidden: bool) {
        // `out=$(pytest)` has the status of what it runs; everywhere else a substitution's status is lost.
        let assigns = words.iter().all(|word| assignment(&word.text).is_some());
        for inner in words.iter().flat_map(|word| &word.inner) {
            self.list(&parse(inner), &mut shell.clone(), hidden || !assigns);
        }
        self.printed.extend(output::echo(words));
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_ref()).collect();
        if self.builtin(&texts, shell) {
            return;
        }
        if texts.first() == Some(&"find") {
            return self.find(&texts, shell, hidden);
        }
        let (reading, dir) = command::read(&texts, stdin, &shell.dir, self.own);
        match reading {
            Reading::Judges(found) => self.out.extend(found.into_iter().map(|one| Judge {
                kind: one.kind,
                runner: one.runner,
                scope: one.scope,
                hides_exit: hidden || one.silent,
                narrowed: one.narrowed,
                told: None,
                heard: !self.muffled,
                filtered: self.filtered,
                followed: self.followed,
                printed: Vec::new(),
            })),
            Reading::Script { text, errexit, pipefail } => {
                let mut inner = Shell { errexit, pipefail, ..Shell::new(dir) };
                self.text(&text, &mut inner, hidden);
            }
        }
    }

    /// Commands that change the shell itself.
    fn builtin(&mut self, words: &[&str], shell: &mut Shell) -> bool {
        let Some((name, args)) = words.split_first() else { return true };
        match *name {
            "cd" | "pushd" | "Set-Location" | "chdir" => {
                let target = args.iter().find(|word| !word.starts_with('-') || **word == "-").copied().unwrap_or("~");
                let left = shell.dir.clone();
                match (target, shell.before.take()) {
                    ("-", Some(before)) => shell.dir = before,
                    ("-", None) => {}
                    _ => shell.dir.enter(target),
                }
                shell.before = Some(left);
            }
            "popd" => {
                if let Some(before) = shell.before.take() {
                    shell.dir = before;
                }
            }
            "set" | "shopt" => options(args, shell),
            _ => return false,
        }
        true
    }

    /// `find … -exec judge {} +`
    fn find(&mut self, words: &[&str], shell: &Shell, hidden: bool) {
        let Some(at) = words.iter().position(|word| matches!(*word, "-exec" | "-execdir" | "-ok")) else { return };
        let mut rest = vec!["xargs"];
        rest.extend(words.iter().skip(at + 1).take_while(|word| !matches!(**word, ";" | "+")).filter(|word| **word != "{}"));
        if let (Reading::Judges(found), _) = command::read(&rest, None, &shell.dir, self.own) {
            self.out.extend(found.into_iter().map(|one| Judge {
                kind: one.kind,
                runner: one.runner,
                scope: one.scope,
                // find ends with 0 whatever the programs say that it runs with `;`.
                hides_exit: hidden || one.silent || !words.contains(&"+"),
                narrowed: one.narrowed,
                told: None,
                heard: !self.muffled,
                filtered: self.filtered,
                followed: self.followed,
                printed: Vec::new(),
            }));
        }
    }
}

fn options(args: &[&str], shell: &mut Shell) {
    let mut args = args.iter();
    while let Some(word) = args.next() {
        let on = word.starts_with('-');
        let letters = word.trim_start_matches(['-', '+']);
        if letters.len() == word.len() {
            continue;
        }
        if letters.contains('e') {
            shell.errexit = on;
        }
        if letters.ends_with('o') {
            match args.next() {
                Some(&"pipefail") => shell.pipefail = on,
                Some(&"errexit") => shell.errexit = on,
                _ => {}
            }
        }
    }
}

/// A filter ends with its own verdict: `grep` fails when it finds nothing.
fn is_filter(stage: &Stage<'_, '_>) -> bool {
    let Stage::Simple { words, .. } = stage else { return false };
    let Some(word) = words.first() else { return false };
    matches!(base(&word.text), "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "diff" | "cmp" | "test" | "[")
}

/// What `cat <<EOF` and `echo …` give to the next command of a pipeline.
fn printed(words: &[&Word<'_>], stdin: Option<String>) -> Option<String> {
    let (first, rest) = words.split_first()?;
    match base(&first.text) {
        "cat" | "tee" => stdin,
        "echo" | "printf" => Some(rest.iter().map(|word| word.text.as_ref()).collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

/// For each pipeline, what becomes of a failure that happens in it. Read from the end, so that it takes one pass.
fn fates(items: &[Item<'_, '_>]) -> Vec<Fate> {
    let mut out = vec![Fate::Kept; items.len()];
    let last = items.last().map_or(&[][..], final_words);
    let mut next: Option<(&Item<'_, '_>, Fate)> = None;
    for (item, slot) in items.iter().zip(out.iter_mut()).rev() {
        *slot = match next {
            None => Fate::Kept,
            Some((after, fate)) if after.joint == Joint::And => fate,
            Some((after, fate)) => match (effect(after), after.joint) {
                (Effect::Stops, Joint::Or) => Fate::Kept,
                (Effect::Fails, Joint::Or) => fate,
                (Effect::Passes { first: false }, _) => Fate::Kept,
                (Effect::Passes { first: true }, _) => Fate::KeptFirst,
                (Effect::Repeats { first }, _) if fate == Fate::Kept => {
                    if first {
                        Fate::KeptFirst
                    } else {
                        Fate::Kept
                    }
                }
                (Effect::Saves { name, first }, Joint::Seq) if names_variable(last, name) => {
                    if first {
                        Fate::KeptFirst
                    } else {
                        Fate::Kept
                    }
                }
                _ => Fate::Lost,
            },
        };
        next = Some((item, *slot));
    }
    out
}

fn effect<'t>(item: &'t Item<'_, '_>) -> Effect<'t> {
    let [stage] = item.stages.as_slice() else { return Effect::Replaces };
    if item.background || item.negated {
        return Effect::Replaces;
    }
    let words = match stage {
        Stage::Group { list, subshell, conditional: false } => {
            return match list.last().filter(|last| last.joint != Joint::Or).map(effect) {
                Some(Effect::Stops) if !subshell => Effect::Stops,
                Some(Effect::Stops | Effect::Fails) => Effect::Fails,
                _ => Effect::Replaces,
            };
        }
        Stage::Group { .. } => return Effect::Replaces,
        Stage::Simple { words, .. } => words,
    };
    let texts: Vec<&str> = words.iter().take(4).map(|word| word.text.as_ref()).collect();
    match texts.as_slice() {
        ["exit" | "return"] => Effect::Passes { first: false },
        ["exit" | "return", "$?"] => Effect::Passes { first: false },
        ["exit" | "return", status] if is_first_status(status) => Effect::Passes { first: true },
        ["exit" | "return", status] if status.bytes().all(|b| b.is_ascii_digit()) && status.bytes().any(|b| b != b'0') => Effect::Stops,
        ["test" | "[" | "[[", status, "-eq" | "=" | "==", "0"] if *status == "$?" || is_first_status(status) => {
            Effect::Repeats { first: *status != "$?" }
        }
        ["false"] => Effect::Fails,
        [word] => match assignment(word) {
            Some((name, "$?")) => Effect::Saves { name, first: false },
            Some((name, status)) if is_first_status(status) => Effect::Saves { name, first: true },
            _ => Effect::Replaces,
        },
        _ => Effect::Replaces,
    }
}

/// The variable that keeps the status before it, and whether it is that of the pipeline's first command.
pub(super) fn status_kept<'t>(item: &'t Item<'_, '_>) -> Option<(&'t str, bool)> {
    match effect(item) {
        Effect::Saves { name, first } => Some((name, first)),
        _ => None,
    }
}

/// The status of a pipeline's first command. Bash counts them from 0, zsh from 1.
pub(super) const FIRST_STATUS: &[&str] = &["${PIPESTATUS[0]}", "${PIPESTATUS}", "$PIPESTATUS", "${pipestatus[1]}", "$pipestatus[1]"];

fn is_first_status(text: &str) -> bool {
    FIRST_STATUS.contains(&text)
}

/// The words of a last command that gives a kept status back: `exit $rc`, `test $rc -eq 0`.
fn final_words<'t, 'a>(item: &'t Item<'_, 'a>) -> &'t [&'t Word<'a>] {
    match item.stages.as_slice() {
        [Stage::Simple { words, .. }]
            if words.len() <= 8 && words.first().is_some_and(|w| matches!(w.text.as_ref(), "exit" | "return" | "test" | "[" | "[[")) =>
        {
            words
        }
        _ => &[],
    }
}

fn names_variable(words: &[&Word<'_>], name: &str) -> bool {
    words.iter().skip(1).any(|word| {
        word.text.len() < 256
            && word.text.contains('$')
            && word.text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == name)
    })
}
