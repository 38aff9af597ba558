//! The thing under test replaced by a stand-in.
//!
//! Stand-ins for what the thing under test needs (a clock, a network, a database) are good practice. What counts is a
//! stand-in for a function whose result the test looks at.

use std::collections::HashSet;

use super::claims::{ClaimKind, assignment};
use super::lang::Lang;
use super::util::{cut, has_any, has_word, is_word, words};
use super::view::View;
use super::{Weakening, WeakeningKind};

/// Names that belong to the surroundings in any project.
const SURROUNDINGS: &[&str] = &[
    "get", "post", "put", "delete", "request", "fetch", "open", "print", "input", "now", "today", "time", "sleep", "random", "randint",
    "urlopen", "run", "popen", "connect", "send", "sendmail", "log", "error", "warn", "info", "debug", "exit", "environ", "getenv",
    "exists", "read", "write", "axios", "uuid4", "date", "main", "render", "screen",
];
/// Those of them that a project's own functions are called as well: a bare call in the test is one of its own.
const OFTEN_OWN: &[&str] = &["run", "main", "render", "read", "write"];
/// What makes a line a stand-in.
const STAND_INS: &[&str] = &[
    "Mock(",
    "MagicMock(",
    "AsyncMock(",
    "create_autospec(",
    "jest.fn(",
    "vi.fn(",
    "sinon.stub(",
    "mock.fn(",
    "mock(",
    "spy(",
    "mockk",
    "createMock(",
    "Substitute.For<",
    "new Mock<",
    "double(",
    "instance_double(",
    "Mockito.mock(",
    "td.func(",
];

/// Without any of these a line replaces nothing.
const HINTS: &[&str] =
    &["mock", "Mock", "patch", "stub", "setattr", "spy", "fn(", "double", "receive", "Substitute", "lambda", "def ", "=>", "function"];

/// Finds stand-ins that came with a write.
pub(super) fn compare(old: &View<'_>, new: &View<'_>) -> Vec<Weakening> {
    if !has_any(&new.text.code, HINTS) {
        return Vec::new();
    }
    let known: HashSet<&str> = (0..old.text.lines.len()).map(|l| old.text.code(l).trim()).collect();
    let looked_at = looked_at(old);
    let mut found: Vec<Weakening> = Vec::new();
    for line in 0..new.text.lines.len() {
        let code = new.text.code(line);
        if new.text.idle(line) || !has_any(code, HINTS) || known.contains(code.trim()) {
            continue;
        }
        let names = replaced(new, old, line, code);
        let surroundings = |n: &str| SURROUNDINGS.contains(&n.to_ascii_lowercase().as_str()) && !called_by_its_place(old, code, n);
        if let Some(name) = names.iter().find(|n| looked_at.contains(n.as_str()) && !surroundings(n)) {
            let block = new.blocks.around(line).map(|b| b.name.clone());
            let tests = block.into_iter().chain(old.claims.iter().filter(|c| calls(&c.subject, name)).flat_map(|c| old.names(c.block)));
            let mut seen: Vec<String> = Vec::new();
            tests.for_each(|t| {
                if !seen.contains(&t) {
                    seen.push(t)
                }
            });
            found.push(Weakening { kind: WeakeningKind::Mocked, line: new.evidence(line), tests: seen });
        }
    }
    found
}

/// Whether the old side calls a name just as a patch spells it: `patch("shop.cart.run")` against `cart.run(…)`. Then it is no
/// namesake from the surroundings.
fn called_by_its_place(old: &View<'_>, code: &str, name: &str) -> bool {
    let own = OFTEN_OWN.contains(&name) && !code.contains(&format!(".{name}"));
    if own && (0..old.text.lines.len()).any(|l| !old.text.idle(l) && calls(&old.text.bare(l).replace(&format!(".{name}"), ""), name)) {
        return true;
    }
    literals(code).iter().any(|l| {
        let owner = l.strip_suffix(name).and_then(|l| l.strip_suffix('.')).and_then(|l| l.rsplit('.').next());
        owner.is_some_and(|owner| !owner.is_empty() && has_call(old, &format!("{owner}.{name}(")))
    })
}

fn has_call(old: &View<'_>, call: &str) -> bool {
    (0..old.text.lines.len()).any(|l| !old.text.idle(l) && old.text.bare(l).contains(call))
}

/// Whether an expression calls a name, itself or through an object of that name.
fn calls(expression: &str, name: &str) -> bool {
    super::util::word_at(expression, name).is_some_and(|at| cut(expression, at + name.len(), expression.len()).starts_with(['(', '.']))
}

/// The functions, methods and objects whose results the old side's claims are about.
fn looked_at(old: &View<'_>) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut take = |expression: &str| {
        let mut at = 0;
        for part in expression.split('(') {
            let open = at + part.len();
            at = open + 1;
            let before = cut(expression, 0, open);
            let len = before.bytes().rev().take_while(|b| is_word(*b)).count();
            let name = cut(before, before.len() - len, before.len());
            if open < expression.len() && !name.is_empty() {
                names.insert(name.to_owned());
                // `calc.add(…)`: the object too.
                let owner = cut(before, 0, before.len() - len);
                if let Some(owner) = owner.strip_suffix('.').and_then(|o| words(o).last().filter(|w| o.ends_with(w))) {
                    names.insert(owner.to_owned());
                }
            }
        }
    };
    for c in old.claims.iter().filter(|c| c.kind == ClaimKind::Assertion) {
        take(&c.subject);
    }
    let variables: HashSet<&str> = old.claims.iter().filter(|c| c.kind == ClaimKind::Assertion).flat_map(|c| words(&c.subject)).collect();
    for line in 0..old.text.lines.len() {
        let bare = old.text.bare(line);
        let Some((at, value)) = assignment(bare).filter(|_| !old.text.idle(line)) else { continue };
        if words(cut(bare, 0, at)).any(|w| variables.contains(w)) {
            take(cut(bare, value, bare.len()));
        }
    }
    if old.text.lang == Lang::Ruby {
        // Here calls need no brackets.
        let dotted = old.claims.iter().flat_map(|c| c.subject.split('.').skip(1)).filter_map(|p| words(p).next());
        names.extend(dotted.map(str::to_owned));
    }
    names
}

/// The names that a line replaces.
fn replaced(new: &View<'_>, old: &View<'_>, line: usize, code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let literals = literals(code);
    let gone = |name: &str| imported_before(old, name) && !imported_before(new, name);
    match new.text.lang {
        Lang::Python => {
            if has_any(code, &["patch(", "setattr("]) && !code.contains("patch.dict(") {
                // `patch("pkg.mod.name")`
                names.extend(literals.first().filter(|l| l.contains('.')).and_then(|l| l.rsplit('.').next()).map(str::to_owned));
            }
            if has_any(code, &["patch.object(", "setattr("]) {
                // `patch.object(Calc, "name")`
                names.extend(literals.first().filter(|l| !l.contains('.')).cloned());
            }
        }
        Lang::Js => {
            if has_any(code, &["jest.mock(", "vi.mock("]) {
                names.extend(literals.first().map(|module| imported_from(new, module)).unwrap_or_default());
            }
            let replaces = has_any(code, &["mockReturn", "mockResolved", "mockImpl", "mockReject", "callsFake", "returns(", "resolves("]);
            if has_any(code, &["spyOn(", "sinon.stub("]) && replaces {
                names.extend(literals.first().cloned());
            }
        }
        Lang::Ruby => {
            if let Some((_, rest)) = code.split_once("receive(:").filter(|_| code.contains("and_return")) {
                names.extend(words(rest).next().map(str::to_owned));
            }
        }
        _ => {}
    }
    // `calc = Mock(…)` where the test had the real one.
    let bare = new.text.bare(line);
    if let Some((at, value)) = assignment(bare) {
        let target = cut(bare, 0, at).split(':').next().unwrap_or("");
        let value = cut(bare, value, bare.len());
        if let Some(name) = words(target).last() {
            let stand_in = has_any(value, STAND_INS) && !value.contains("expect(");
            // Nothing on the old side made it: what the test called was the real one, and is hidden now.
            if stand_in && (had_real(old, name) || !assigned(old, name)) {
                names.push(name.to_owned());
            }
            let function = value.trim_start().starts_with("lambda") || value.contains("=>") || value.trim_start().starts_with("function");
            if function && gone(name) {
                names.push(name.to_owned());
            }
        }
    }
    let defined = ["def ", "function ", "fn "].iter().find_map(|d| code.trim_start().strip_prefix(d));
    names.extend(defined.and_then(|d| words(d).next()).filter(|n| gone(n)).map(str::to_owned));
    names
}

/// Whether the old side gave a name a real value: imported it, or made it with anything but a stand-in.
fn had_real(old: &View<'_>, name: &str) -> bool {
    (0..old.text.lines.len()).any(|l| {
        let bare = old.text.bare(l);
        !old.text.idle(l)
            && has_word(bare, name)
            && (is_import(bare)
                || assignment(bare).is_some_and(|(at, value)| {
                    words(cut(bare, 0, at)).last() == Some(name) && !has_any(cut(bare, value, bare.len()), STAND_INS)
                }))
    })
}

/// Whether the old side gives a name any value.
fn assigned(old: &View<'_>, name: &str) -> bool {
    (0..old.text.lines.len()).any(|l| {
        let bare = old.text.bare(l);
        !old.text.idle(l) && assignment(bare).is_some_and(|(at, _)| has_word(cut(bare, 0, at), name))
    })
}

fn is_import(bare: &str) -> bool {
    let bare = bare.trim_start();
    bare.starts_with("import ")
        || bare.starts_with("from ")
        || bare.starts_with("use ")
        || bare.contains("require(")
        || bare.starts_with("} from")
        || bare.starts_with("#include")
}

fn imported_before(view: &View<'_>, name: &str) -> bool {
    (0..view.text.lines.len()).any(|l| !view.text.idle(l) && is_import(view.text.bare(l)) && has_word(view.text.bare(l), name))
}

/// The names that a module's import brings in.
fn imported_from(view: &View<'_>, module: &str) -> Vec<String> {
    let imports =
        (0..view.text.lines.len()).filter(|l| is_import(view.text.bare(*l)) && literals(view.text.code(*l)).iter().any(|m| m == module));
    imports
        .flat_map(|l| {
            words(view.text.bare(l))
                .filter(|w| !matches!(*w, "import" | "from" | "const" | "require" | "let" | "type" | "as" | "default"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The texts of a line in quotes.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = cut(rest, at, at + 1);
        let inner = cut(rest, at + 1, rest.len());
        let Some(end) = inner.find(quote) else { break };
        found.push(cut(inner, 0, end).to_owned());
        rest = cut(inner, end + 1, inner.len());
    }
    found
}
