//! Tool calls: ordinary work, and what looks like a loop and is none.

use super::dice::Dice;
use super::words::{MODULES, NOUNS};

/// One call and its result.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub tool: &'static str,
    /// Canonical arguments, in no order that matters.
    pub args: Vec<(&'static str, String)>,
    /// Template: `«…»` changes without making another result.
    pub result: String,
    pub ok: bool,
}

impl Call {
    pub(super) fn new(tool: &'static str, args: &[(&'static str, &str)], result: &str) -> Self {
        Self { tool, args: args.iter().map(|&(key, value)| (key, value.to_owned())).collect(), result: result.to_owned(), ok: true }
    }

    pub(super) fn failed(mut self) -> Self {
        self.ok = false;
        self
    }
}

/// The tools' names in one run, and a counter that keeps its calls apart.
pub(super) struct Toolbox {
    read: &'static str,
    grep: &'static str,
    edit: &'static str,
    shell: &'static str,
    serial: usize,
}

impl Toolbox {
    pub(super) fn new(dice: &mut Dice) -> Self {
        let (read, grep, edit, shell) = dice.pick_copy(&[
            ("Read", "Grep", "Edit", "Bash"),
            ("read_file", "grep", "edit_file", "bash"),
            ("view", "search", "str_replace", "shell"),
        ]);
        Self { read, grep, edit, shell, serial: dice.between(1, 50) }
    }

    fn next(&mut self) -> usize {
        self.serial += 1;
        self.serial
    }

    fn path(&mut self, dice: &mut Dice) -> String {
        format!("src/{}/part{}.rs", dice.pick(MODULES), self.next())
    }

    pub(super) fn read_one(&mut self, dice: &mut Dice) -> Call {
        let path = self.path(dice);
        let lines = dice.between(20, 900);
        Call::new(self.read, &[("path", &path)], &format!("{lines} lines"))
    }

    pub(super) fn grep_one(&mut self, dice: &mut Dice) -> Call {
        let pattern = format!("fn {}_{}", dice.pick(NOUNS), self.next());
        let hits = dice.between(1, 30);
        Call::new(self.grep, &[("pattern", &pattern), ("path", "src")], &format!("{hits} matches"))
    }

    pub(super) fn edit_one(&mut self, dice: &mut Dice) -> Call {
        let path = self.path(dice);
        let lines = dice.between(1, 60);
        Call::new(
            self.edit,
            &[("path", &path), ("old", "return total"), ("new", "return rounded")],
            &format!("1 file changed, {lines} insertions(+)"),
        )
    }

    /// A few calls of ordinary work, no two alike.
    pub(super) fn work(&mut self, n: usize, dice: &mut Dice) -> Vec<Call> {
        (0..n)
            .map(|_| match dice.between(0, 4) {
                0 | 1 => self.read_one(dice),
                2 => self.grep_one(dice),
                _ => self.edit_one(dice),
            })
            .collect()
    }

    /// The agent's own run of the check, after an edit and a look.
    pub(super) fn own_check(&mut self, result: &str, green: bool, dice: &mut Dice) -> Vec<Call> {
        let mut check = Call::new(self.shell, &[("command", "make test")], result);
        check.ok = green;
        vec![self.read_one(dice), self.edit_one(dice), check]
    }

    /// Waiting for a long job: the same call many times. The output moves by a
    /// percentage or a count, or (up to seven times) not at all.
    pub(super) fn poll(&mut self, dice: &mut Dice) -> Vec<Call> {
        let job = format!("job_{}", self.next());
        let tail = format!("tail -n 1 logs/build{}.log", self.serial);
        let total = dice.between(60, 400);
        match dice.between(0, 3) {
            0 => (1..dice.between(6, 26))
                .map(|at| Call::new("bash_output", &[("bash_id", &job)], &format!("building {}%", at * 3)))
                .collect(),
            1 => (1..dice.between(6, 20))
                .map(|at| {
                    let result = format!("[{}/{total}] compiling", at * 2);
                    Call::new(self.shell, &[("command", &tail)], &result)
                })
                .collect(),
            2 => (1..dice.between(5, 14))
                .flat_map(|at| {
                    let result = format!("downloaded {} of 900 MB", at * 31);
                    [Call::new(self.shell, &[("command", "sleep 30")], ""), Call::new(self.shell, &[("command", &tail)], &result)]
                })
                .collect(),
            _ => vec![Call::new("bash_output", &[("bash_id", &job)], "still running"); dice.between(4, 7)],
        }
    }

    /// The same steps over many files: one tool, other arguments, equal answers.
    pub(super) fn batch(&mut self, dice: &mut Dice) -> Vec<Call> {
        let files = dice.between(5, 9);
        let paired = dice.chance(0.5);
        let old = format!("shop_{}", dice.pick(MODULES));
        let mut calls = Vec::new();
        for _ in 0..files {
            let path = self.path(dice);
            if paired {
                calls.push(Call::new(self.grep, &[("pattern", &old), ("path", &path)], "1 match"));
            }
            calls.push(Call::new(self.edit, &[("path", &path), ("old", &old), ("new", "shop")], "1 replacement"));
        }
        calls
    }

    /// One call that is made again and again with the same answer.
    pub(super) fn repeated(&mut self, n: usize, dice: &mut Dice) -> Vec<Call> {
        let path = self.path(dice);
        let call = match dice.between(0, 3) {
            0 => Call::new(self.read, &[("path", &path), ("offset", "40")], "120 lines"),
            1 => Call::new(self.shell, &[("command", "ls -la src/shop")], "total 48, listed in «dur»s"),
            2 => Call::new(
                self.edit,
                &[("path", &path), ("old", "let a = 1;"), ("new", "let a = 2;")],
                "Error: old text not found (call «uuid»)",
            )
            .failed(),
            _ => Call::new(self.grep, &[("pattern", "fn total"), ("path", "src")], "no match"),
        };
        vec![call; n]
    }

    /// One tool, always other arguments, always the same error.
    pub(super) fn same_error(&mut self, n: usize, dice: &mut Dice) -> Vec<Call> {
        (0..n)
            .map(|_| {
                let path = self.path(dice);
                Call::new(
                    self.edit,
                    &[("path", &path), ("old", "let a = 1;"), ("new", "let a = 2;")],
                    "Error: old text not found, «n» lines searched",
                )
                .failed()
            })
            .collect()
    }

    /// A poll whose answer never changes.
    pub(super) fn dead_poll(&mut self, n: usize) -> Vec<Call> {
        let job = format!("job_{}", self.next());
        vec![Call::new("bash_output", &[("bash_id", &job)], "still running"); n]
    }

    /// `rounds` times the same two or three calls with the same answers.
    pub(super) fn cycle(&mut self, rounds: usize, dice: &mut Dice) -> Vec<Call> {
        let path = self.path(dice);
        let mut round = vec![
            Call::new(self.read, &[("path", &path)], "210 lines"),
            Call::new(self.edit, &[("path", &path), ("old", "fn sum("), ("new", "fn total(")], "Error: old text not found").failed(),
        ];
        if dice.chance(0.5) {
            round.push(Call::new(self.shell, &[("command", "git diff --stat")], "no changes"));
        }
        let all = round.len() * rounds;
        round.into_iter().cycle().take(all).collect()
    }
}
