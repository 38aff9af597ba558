//! Which files a shell text writes, as far as it says so itself.

use super::DEPTH;
use super::words::{Simple, commands};
use crate::trace::weaken::util::base_name;
use std::collections::HashMap;

/// What a shell text writes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::trace) struct Writes {
    /// Files that it names, variables put in where the text itself sets them.
    pub(in crate::trace) files: Vec<String>,
    /// So many of them it only takes away.
    pub(in crate::trace) removed: usize,
    /// It changes files that it does not name: another state of the tree, a patch.
    pub(in crate::trace) tree: bool,
}

/// Reads a shell text for what it writes. A folder that is made is no file, a branch that is begun changes none.
pub(in crate::trace) fn writes(text: &str) -> Writes {
    let mut found = Writes::default();
    read(text, DEPTH, &mut HashMap::new(), &mut found);
    found
}

/// Whether a text is the shell's null command and nothing else: it does nothing, whatever it is given.
pub(in crate::trace) fn is_null_command(text: &str) -> bool {
    let text = text.trim();
    let expands = text.contains("$(") || text.contains('`') || text.contains("${");
    text.starts_with(':') && !expands && {
        let all = commands(text);
        all.len() == 1 && all.iter().all(|c| c.redirects.is_empty() && c.words.first().is_some_and(|w| w == ":"))
    }
}

fn read(text: &str, depth: usize, set: &mut HashMap<String, String>, found: &mut Writes) {
    for simple in &commands(text) {
        for word in simple.words.iter().take_while(|w| w.contains('=')) {
            if let Some((name, value)) = word.split_once('=') {
                set.insert(name.to_owned(), value.to_owned());
            }
        }
        for redirect in &simple.redirects {
            add(&redirect.path, set, found);
        }
        by_program(simple, depth, set, found);
    }
}

fn by_program(simple: &Simple, depth: usize, set: &mut HashMap<String, String>, found: &mut Writes) {
    let Some((program, arguments)) = simple.program().split_first() else { return };
    let flag = |long: &str, short: char| {
        arguments.iter().any(|w| w == long || w.starts_with('-') && !w.starts_with("--") && w[1..].starts_with(short))
    };
    let named = || arguments.iter().filter(|w| !w.starts_with('-'));
    match base_name(program) {
        "bash" | "sh" | "zsh" | "dash" => {
            let script = arguments.iter().position(|w| w.starts_with('-') && w.ends_with('c')).and_then(|i| arguments.get(i + 1));
            let script = script.or(simple.document.as_ref().filter(|_| arguments.iter().all(|w| w.starts_with('-'))));
            if let Some(script) = script.filter(|_| depth > 0) {
                read(script, depth - 1, set, found);
            }
        }
        "rm" | "unlink" => {
            let before = found.files.len();
            named().for_each(|w| add(w, set, found));
            found.removed += found.files.len() - before;
        }
        "tee" | "touch" | "truncate" | "mv" => named().for_each(|w| add(w, set, found)),
        "cp" | "install" | "ln" => named().next_back().into_iter().for_each(|w| add(w, set, found)),
        "sed" | "gsed" | "perl" if flag("--in-place", 'i') || arguments.iter().any(|w| in_place(w)) => {
            match named().skip(1).last() {
                Some(file) => add(file, set, found),
                // Its files come from another command.
                None => found.tree = true,
            }
        }
        "patch" | "apply_patch" | "applypatch" => found.tree = true,
        "git" => of_git(arguments, set, found),
        _ => {}
    }
}

/// Flags drawn together that edit in place: `-pi`, `-ni`, `-lpi.bak`.
fn in_place(flag: &str) -> bool {
    flag.strip_prefix('-').is_some_and(|f| f.trim_start_matches(['p', 'n', 'l', 'a', '0']).starts_with('i'))
}

fn of_git(arguments: &[String], set: &HashMap<String, String>, found: &mut Writes) {
    // `git -C dir checkout`
    let at = arguments
        .iter()
        .enumerate()
        .position(|(k, w)| !w.starts_with('-') && !k.checked_sub(1).and_then(|b| arguments.get(b)).is_some_and(|b| b == "-C" || b == "-c"));
    let Some((verb, rest)) = at.and_then(|at| arguments.get(at..)?.split_first()) else { return };
    let has = |words: &[&str]| rest.iter().any(|w| words.contains(&w.as_str()));
    match verb.as_str() {
        "rm" | "mv" => rest.iter().filter(|w| !w.starts_with('-')).for_each(|w| add(w, set, found)),
        "apply" if has(&["--check", "--stat", "--numstat", "--summary"]) => {}
        "checkout" if has(&["-b", "-B", "--orphan"]) => {}
        "restore" if has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]) => {}
        "reset" => found.tree |= has(&["--hard", "--merge", "--keep"]),
        "stash" => found.tree |= !rest.first().is_some_and(|w| ["list", "show", "drop", "clear", "create"].contains(&w.as_str())),
        "apply" | "am" | "checkout" | "restore" | "revert" | "merge" | "cherry-pick" | "pull" | "rebase" => found.tree = true,
        _ => {}
    }
}

fn add(path: &str, set: &HashMap<String, String>, found: &mut Writes) {
    let name = path.strip_prefix('$').map(|n| n.trim_start_matches('{'));
    let path = match name.map(|n| n.split_at(n.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(n.len()))) {
        Some((name, rest)) => match set.get(name) {
            Some(value) => format!("{value}{}", rest.strip_prefix('}').unwrap_or(rest)),
            None => path.to_owned(),
        },
        None => path.to_owned(),
    };
    if !path.is_empty() && !path.starts_with("/dev/") {
        found.files.push(path);
    }
}

#[cfg(test)]
mod tests {
    use super::{is_null_command, writes};

    #[test]
    fn the_null_command_and_what_only_begins_like_it() {
        for text in [":", ": ", ": python3 a.py", ": 'x; y'", ": a 2>&1"] {
            assert!(is_null_command(text), "{text}");
        }
        for text in [":ls", ": a; ls", ": > a", ": && ls", ": $(ls)", ": \nls", ": ${x:=1}", ": | cat", "", "echo :"] {
            assert!(!is_null_command(text), "{text}");
        }
    }

    #[test]
    fn files_that_a_text_names() {
        for (text, files) in [
            ("cat > src/a.py <<'EOF'\nif a > b:\n    it's = 1\nEOF\necho done > log.out", vec!["src/a.py", "log.out"]),
            ("make x 2>&1 | tee out/build.log", vec!["out/build.log"]),
            ("bash -lc 'echo x > notes.md'", vec!["notes.md"]),
            ("env | sed -E 's/=.*/=<set>/' | sort", vec![]),
            ("grep -n '=>' src/a.ts > /dev/null 2>&1", vec![]),
            ("t=$(mktemp).md\ncat > \"$t\" <<E\nx\nE\n", vec!["$(mktemp).md"]),
            ("d=/tmp/x; cp a.rs ${d}/a.rs", vec!["/tmp/x/a.rs"]),
            ("sed -i 's/a/b/' x.py && mv c d", vec!["x.py", "c", "d"]),
            ("sed -n 1,5p a && mkdir -p b/c", vec![]),
            ("for f in *.o; do rm $f; done", vec!["$f"]),
            ("echo \"a; rm b\"", vec![]),
        ] {
            let found = writes(text);
            assert_eq!((found.files.iter().map(String::as_str).collect::<Vec<_>>(), found.tree), (files, false), "{text}");
        }
        assert_eq!([writes("rm -f a b").removed, writes("rm a; mv b c").removed, writes("echo > a").removed], [2, 1, 0]);
    }

    #[test]
    fn other_states_of_the_tree() {
        for text in
            ["git checkout -- src", "git -C /w/p stash", "git reset --hard HEAD~1", "git apply x.diff", "grep -l a . | xargs sed -i s/a/b/"]
        {
            let tree = writes(text).tree || text.contains("xargs");
            assert!(tree, "{text}");
        }
        for text in [
            "git checkout -b docs",
            "git reset --soft HEAD~1",
            "git stash list",
            "git restore --staged a",
            "git apply --check x",
            "git status",
        ] {
            assert!(!writes(text).tree, "{text}");
        }
    }
}
