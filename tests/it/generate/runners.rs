//! How test runners, compilers and linters print a failure.
//!
//! A run keeps to one dialect: a compiler error that gives way to a failing
//! test would be a later stage, and thereby progress.

use super::dice::Dice;
use super::failure::{Failure, Names};
use super::messages;
use super::words::{NOUNS, VERBS, camel, lower_camel};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    Pytest,
    Cargo,
    Rustc,
    Go,
    Jest,
    Vitest,
    Tsc,
    Unittest,
    Junit,
    Plain,
    Eslint,
    Traceback,
    Make,
}

const RUNNERS: &[Runner] = &[
    Runner::Pytest,
    Runner::Pytest,
    Runner::Cargo,
    Runner::Cargo,
    Runner::Rustc,
    Runner::Go,
    Runner::Go,
    Runner::Jest,
    Runner::Jest,
    Runner::Vitest,
    Runner::Tsc,
    Runner::Tsc,
    Runner::Unittest,
    Runner::Junit,
    Runner::Plain,
    Runner::Plain,
    Runner::Eslint,
    Runner::Traceback,
    Runner::Make,
];

/// One runner and one of its ways to print.
pub(super) struct Dialect {
    runner: Runner,
    shape: usize,
    /// Further lines (source place, assertion) follow the first.
    context: bool,
}

impl Dialect {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        Self { runner: dice.pick_copy(RUNNERS), shape: dice.between(0, 2), context: dice.chance(0.2) }
    }

    /// Whether two failures may differ by a number alone. Only where that
    /// number stands in a test id, a file name or a symbol, which always stay.
    pub(super) fn allows_twins(&self) -> bool {
        !matches!(self.runner, Runner::Make | Runner::Eslint | Runner::Traceback)
    }

    /// The failure that these names make.
    pub(super) fn failure(&self, names: &Names, dice: &mut Dice) -> Failure {
        let test = if names.twin { format!("{}_{}", names.test, names.number) } else { names.test.clone() };
        let (key, mut template) = self.first_line(names, &test, dice);
        if self.context {
            template.push_str(&self.more_lines(&names.module));
        }
        Failure { key, template, twin: names.twin }
    }

    fn first_line(&self, names: &Names, test: &str, dice: &mut Dice) -> (String, String) {
        let module = &names.module;
        match self.runner {
            Runner::Pytest => self.pytest(names, test, dice),
            Runner::Cargo => {
                let id = format!("{module}::tests::{test}");
                let text = match self.shape {
                    0 => format!("test {id} ... FAILED"),
                    1 => format!("thread '{id}' panicked at src/{module}.rs:«line»:«col»:"),
                    _ => format!("thread '{id}' («pid») panicked at src/{module}.rs:«line»:«col»:"),
                };
                (id, text)
            }
            Runner::Rustc => rustc(names, dice),
            Runner::Go => {
                let top = camel(module);
                let id = match self.shape {
                    0 => format!("Test{top}{}", camel(test)),
                    _ => format!("Test{top}/{test}"),
                };
                if self.shape == 2 {
                    let package = format!("example.com/shop/{module}/{test}");
                    (package.clone(), format!("FAIL\t{package}\t«dur»s"))
                } else {
                    (id.clone(), format!("--- FAIL: {id} («dur»s)"))
                }
            }
            Runner::Jest | Runner::Vitest => self.javascript(names, dice),
            Runner::Tsc => self.tsc(names, dice),
            Runner::Unittest => {
                let word = if self.shape == 0 { "ERROR" } else { "FAIL" };
                let id = format!("tests.test_{module}.{}Test.test_{test}", camel(module));
                (id.clone(), format!("{word}: test_{test} ({id})"))
            }
            Runner::Junit => {
                let class = format!("{}Test", camel(module));
                let method = lower_camel(test);
                let text = match self.shape {
                    0 => {
                        format!("[ERROR]   {class}.{method}:«line» expected: <«n»> but was: <«n»>")
                    }
                    1 => format!("{class} > {method}() FAILED"),
                    _ => format!("[ERROR] com.example.shop.{class}.{method} -- Time elapsed: «dur» s <<< FAILURE!"),
                };
                (format!("{class}.{method}"), text)
            }
            Runner::Plain => {
                let text = match self.shape {
                    0 => format!("FAIL {test}"),
                    1 => format!("FAIL {test}: {}", messages::draw(module, dice)),
                    _ => format!("FAIL: {module}/{test}"),
                };
                let key = if self.shape == 2 { format!("{module}/{test}") } else { test.to_owned() };
                (key, text)
            }
            Runner::Eslint => {
                let (rule, text) = dice.pick_copy(&[
                    ("no-undef", "is not defined"),
                    ("no-unused-vars", "is assigned a value but never used"),
                    ("prefer-const", "is never reassigned"),
                ]);
                let symbol = lower_camel(test);
                (
                    format!("{module} {rule} {symbol}"),
                    format!("src/{module}.ts: line «line», col «col», Error - '{symbol}' {text}. ({rule})"),
                )
            }
            Runner::Traceback => {
                let symbol = test;
                let text = match self.shape {
                    0 => format!("KeyError: '{symbol}'"),
                    1 => format!("AttributeError: 'NoneType' object has no attribute '{symbol}'"),
                    _ => format!("NameError: name '{symbol}' is not defined"),
                };
                (symbol.to_owned(), text)
            }
            Runner::Make => {
                let target = format!("{module}-{test}");
                (target.clone(), format!("make: *** [Makefile:«line»: {target}] Error 2"))
            }
        }
    }

    fn pytest(&self, names: &Names, test: &str, dice: &mut Dice) -> (String, String) {
        let file = format!("tests/test_{}.py", names.module);
        let id = if names.twin && self.shape != 0 {
            format!("{file}::test_{}[{}-utf8]", names.test, names.number)
        } else if self.shape == 1 {
            format!("{file}::test_{test}[{}]", dice.pick(&["v1", "fast", "en-GB", "3-x"]))
        } else {
            format!("{file}::test_{test}")
        };
        let text = if self.shape == 2 {
            format!("{id} FAILED                         [«wide_pct»]")
        } else {
            format!("FAILED {id} - {}", messages::draw(&names.module, dice))
        };
        (id, text)
    }

    fn javascript(&self, names: &Names, dice: &mut Dice) -> (String, String) {
        let suite = camel(&names.module);
        // Titles are sentences, with numbers that belong to the name.
        let title = if names.twin {
            let words = names.test.replace('_', " ");
            format!("{words} for case {}", names.number)
        } else {
            let (verb, noun) = (dice.pick(VERBS), dice.pick(NOUNS).replace('_', " "));
            format!("{verb} {} {noun} \"as is\"", dice.between(2, 12))
        };
        if self.runner == Runner::Vitest {
            let id = format!("src/{}.test.ts > {suite} > {title}", names.module);
            return (id.clone(), format!("FAIL  {id}"));
        }
        match self.shape {
            0 => (title.clone(), format!("✕ {title} («ms» ms)")),
            _ => (format!("{suite} › {title}"), format!("● {suite} › {title}")),
        }
    }

    fn tsc(&self, names: &Names, dice: &mut Dice) -> (String, String) {
        let file = if names.twin { format!("src/{}/step{}.ts", names.module, names.number) } else { format!("src/{}.ts", names.module) };
        let symbol = lower_camel(&names.test);
        let (code, text) = match dice.between(0, 3) {
            0 => (2322, format!("Type 'string' is not assignable to type '{}'.", camel(&symbol))),
            1 => (2339, format!("Property '{symbol}' does not exist on type 'Shop'.")),
            2 => (2304, format!("Cannot find name '{symbol}'.")),
            _ => (2345, format!("Argument of type '\"{symbol}\"' is not assignable to parameter of type 'number'.")),
        };
        let place = if self.shape == 0 { "(«line»,«col»): error" } else { ":«line»:«col» - error" };
        (format!("{file} TS{code} {symbol}"), format!("{file}{place} TS{code}: {text}"))
    }

    /// The lines below the first; they name nothing that tells failures apart.
    fn more_lines(&self, module: &str) -> String {
        match self.runner {
            Runner::Pytest => "\nE       assert «n» == «n»".to_owned(),
            Runner::Cargo => "\nassertion `left == right` failed\n  left: «n»\n right: «n»".to_owned(),
            Runner::Rustc => format!("\n   --> src/{module}.rs:«line»:«col»"),
            Runner::Go => format!("\n    {module}_test.go:«line»: got «n», want «n»"),
            Runner::Jest | Runner::Vitest => {
                format!("\n    at Object.<anonymous> (src/{module}.test.ts:«line»:«col»)")
            }
            Runner::Junit => {
                format!("\n\tat com.example.shop.Base.run(Base.java:«line») // {module}")
            }
            _ => String::new(),
        }
    }
}

fn rustc(names: &Names, dice: &mut Dice) -> (String, String) {
    let symbol = if names.twin { format!("{}_{}", names.test, names.number) } else { names.test.clone() };
    let (code, text) = match dice.between(0, 3) {
        0 => ("E0425", format!("cannot find value `{symbol}` in this scope")),
        1 => ("E0433", format!("failed to resolve: use of undeclared type `{}`", camel(&symbol))),
        2 => ("E0599", format!("no method named `{symbol}` found for struct `Shop` in the current scope")),
        _ => ("E0382", format!("borrow of moved value: `{symbol}`")),
    };
    (format!("{code} {symbol}"), format!("error[{code}]: {text}"))
}
