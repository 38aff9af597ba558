//! A made-up project: its files, its check and what the check prints.

use crate::generate::Dice;
use crate::generate::words::{MODULES, NOUNS, VERBS};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Runner {
    Pytest,
    Cargo,
    Vitest,
}

pub(super) struct Project {
    runner: Runner,
    pub(super) module: String,
    command: String,
    total: usize,
}

impl Project {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        let runner = dice.pick_copy(&[Runner::Pytest, Runner::Cargo, Runner::Vitest]);
        let module = dice.pick(MODULES).to_owned();
        let plain: &[&str] = match runner {
            Runner::Pytest => &["python -m pytest -q", "pytest tests", "cd /w/p && uv run pytest -x -q 2>&1 | tail -40", "pytest -q 2>&1"],
            Runner::Cargo => &["cargo test", "cargo test 2>&1", "cd /w/p && cargo test --workspace 2>&1 | tail -60"],
            Runner::Vitest => &["npx vitest run", "npm test", "cd /w/p && npm test 2>&1 | tail -50"],
        };
        let command = dice.pick(plain).to_owned();
        Self { runner, module, command, total: dice.between(8, 60) }
    }

    pub(super) fn source(&self) -> String {
        match self.runner {
            Runner::Pytest => format!("src/{}.py", self.module),
            Runner::Cargo => format!("src/{}.rs", self.module),
            Runner::Vitest => format!("src/{}.ts", self.module),
        }
    }

    pub(super) fn test_file(&self) -> String {
        match self.runner {
            Runner::Pytest => format!("tests/test_{}.py", self.module),
            Runner::Cargo => format!("tests/{}.rs", self.module),
            Runner::Vitest => format!("tests/{}.test.ts", self.module),
        }
    }

    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// The name of a failing test, never the same for two numbers.
    pub(super) fn test(&self, n: usize) -> String {
        format!("{}_{}", VERBS[n % VERBS.len()], NOUNS[(n / VERBS.len() + n) % NOUNS.len()])
    }

    /// The test's failure in one line: always the same for one number.
    fn message(&self, n: usize) -> String {
        format!("{} of {} is off", ["total", "order", "label", "state", "width"][n % 5], NOUNS[n % NOUNS.len()])
    }

    /// The check with these tests failing. Times, addresses and line numbers move from run to run.
    pub(super) fn red(&self, failing: &[usize], dice: &mut Dice) -> (String, i32) {
        let seconds = dice.real(0.1, 9.0);
        let n = failing.len();
        let passed = self.total.saturating_sub(n);
        let mut out = String::new();
        match self.runner {
            Runner::Pytest => {
                for k in failing {
                    let line = dice.between(10, 300);
                    out += &format!(
                        "    def test_{}():\n>       assert got == want\nE       AssertionError: {} at 0x{}\n\n{}:{line}: AssertionError\n",
                        self.test(*k),
                        self.message(*k),
                        dice.hex(12),
                        self.test_file()
                    );
                }
                out += "=========================== short test summary info ============================\n";
                for k in failing {
                    out += &format!("FAILED {}::test_{} - AssertionError: {}\n", self.test_file(), self.test(*k), self.message(*k));
                }
                out += &format!("{n} failed, {passed} passed in {seconds:.2}s");
                (out, 1)
            }
            Runner::Cargo => {
                out += &format!("running {} tests\n", self.total);
                for k in failing {
                    out += &format!("test {}::{} ... FAILED\n", self.module, self.test(*k));
                }
                out += "\nfailures:\n\n";
                for k in failing {
                    out += &format!(
                        "---- {}::{} stdout ----\nthread '{}::{}' ({}) panicked at {}:{}:9:\n{}\n",
                        self.module,
                        self.test(*k),
                        self.module,
                        self.test(*k),
                        dice.between(1_000, 99_000),
                        self.test_file(),
                        dice.between(10, 300),
                        self.message(*k)
                    );
                }
                out += "\nfailures:\n";
                for k in failing {
                    out += &format!("    {}::{}\n", self.module, self.test(*k));
                }
                out += &format!(
                    "\ntest result: FAILED. {passed} passed; {n} failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds:.2}s\n\nerror: test failed, to rerun pass `--test {}`",
                    self.module
                );
                (out, 101)
            }
            Runner::Vitest => {
                out += " RUN  v3.1.1 /w/p\n\n";
                for k in failing {
                    out += &format!(
                        " FAIL  {} > {} > {}\nAssertionError: {}\n ❯ {}:{}:11\n",
                        self.test_file(),
                        self.module,
                        self.test(*k).replace('_', " "),
                        self.message(*k),
                        self.test_file(),
                        dice.between(10, 300)
                    );
                }
                out += &format!(
                    "\n Test Files  1 failed (1)\n      Tests  {n} failed | {passed} passed ({})\n   Start at  0{}:{}:{}\n   Duration  {seconds:.2}s",
                    self.total,
                    dice.between(1, 9),
                    dice.between(10, 59),
                    dice.between(10, 59)
                );
                (out, 1)
            }
        }
    }

    pub(super) fn green(&self, dice: &mut Dice) -> (String, i32) {
        let seconds = dice.real(0.1, 9.0);
        let out = match self.runner {
            Runner::Pytest => format!("{} passed in {seconds:.2}s", self.total),
            Runner::Cargo => format!(
                "running {0} tests\n\ntest result: ok. {0} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds:.2}s",
                self.total
            ),
            Runner::Vitest => format!(
                " RUN  v3.1.1 /w/p\n\n Test Files  1 passed (1)\n      Tests  {0} passed ({0})\n   Duration  {seconds:.2}s",
                self.total
            ),
        };
        (out, 0)
    }

    /// A line of a test, as old and new text, that is weaker than before.
    pub(super) fn weakening(&self, n: usize, dice: &mut Dice) -> (String, String) {
        let t = self.test(n);
        let pairs: Vec<(String, String)> = match self.runner {
            Runner::Pytest => vec![
                (
                    format!("def test_{t}():\n    got = run()\n    assert got == 4\n"),
                    format!("@pytest.mark.skip(reason=\"later\")\ndef test_{t}():\n    got = run()\n    assert got == 4\n"),
                ),
                (
                    format!("def test_{t}():\n    got = run()\n    assert got == 4\n"),
                    format!("def test_{t}():\n    got = run()\n    assert True\n"),
                ),
                (format!("def test_{t}():\n    got = run()\n    assert got == 4\n"), format!("def test_{t}():\n    got = run()\n")),
            ],
            Runner::Cargo => vec![
                (
                    format!("#[test]\nfn {t}() {{\n    assert_eq!(run(), 4);\n}}\n"),
                    format!("#[test]\n#[ignore]\nfn {t}() {{\n    assert_eq!(run(), 4);\n}}\n"),
                ),
                (
                    format!("#[test]\nfn {t}() {{\n    assert_eq!(run(), 4);\n}}\n"),
                    format!("#[test]\nfn {t}() {{\n    let _ = run();\n}}\n"),
                ),
            ],
            Runner::Vitest => vec![
                (
                    format!("it('{t}', () => {{\n  expect(run()).toBe(4)\n}})\n"),
                    format!("it.skip('{t}', () => {{\n  expect(run()).toBe(4)\n}})\n"),
                ),
                (format!("it('{t}', () => {{\n  expect(run()).toBe(4)\n}})\n"), format!("it('{t}', () => {{\n  run()\n}})\n")),
            ],
        };
        pairs[dice.between(0, pairs.len() - 1)].clone()
    }

    /// An expected value, before and after.
    pub(super) fn expectation(&self, n: usize, from: usize, to: usize) -> (String, String) {
        let t = self.test(n);
        let with = |v: usize| match self.runner {
            Runner::Pytest => format!("def test_{t}():\n    assert timeout() == {v}\n"),
            Runner::Cargo => format!("#[test]\nfn {t}() {{\n    assert_eq!(timeout(), {v});\n}}\n"),
            Runner::Vitest => format!("it('{t}', () => {{\n  expect(timeout()).toBe({v})\n}})\n"),
        };
        (with(from), with(to))
    }

    /// A change of the source that is never the same twice.
    pub(super) fn fix(&self, n: usize, dice: &mut Dice) -> (String, String) {
        (format!("    value = step_{n}(rest)  # {}", dice.hex(6)), format!("    value = step_{n}(rest, {})", dice.between(2, 90)))
    }
}
