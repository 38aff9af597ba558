//! Scratch folders: what a command leaves there, or clears away there, is no change of the work.

use super::danger::segments;
use super::tool::writes_by_program;
use std::borrow::Cow;

/// Beginnings of paths that lie in a scratch folder of the system.
const SCRATCH: &[&str] = &["/tmp/", "/private/tmp/", "/var/tmp/", "/var/folders/", "/private/var/folders/", "$TMP", "${TMP", "$(mktemp"];

/// Whether a path lies in a scratch folder of the system.
#[must_use]
pub fn is_scratch(path: &str) -> bool {
    let climbs = path.split(['/', '\\']).any(|part| part == "..");
    let here = |root: &str| path.starts_with(root) || root.strip_suffix('/') == Some(path);
    let windows = || path.replace('\\', "/").contains("/AppData/Local/Temp/");
    !climbs && (SCRATCH.iter().any(|root| here(root)) || windows())
}

/// Where the commands of a line run, as far as `cd` tells.
#[derive(Default)]
pub(super) struct Place {
    scratch: bool,
    /// Variables that hold the name of a scratch file.
    held: Vec<String>,
}

impl Place {
    /// A command moves to another folder.
    pub(super) fn follow(&mut self, program: &str, rest: &[&str]) {
        if matches!(program, "cd" | "pushd") {
            self.scratch = rest.first().is_some_and(|to| self.is_scratch(to));
        }
    }

    /// Variables that are given the name of a scratch file: `draft=$(mktemp)`, of which a bracket is the end of a command.
    fn learn(&mut self, words: &[String], next: Option<&Vec<String>>) {
        let made = next.and_then(|words| words.first()).is_some_and(|program| program == "mktemp");
        let given = words.iter().filter_map(|word| word.split_once('='));
        self.held.extend(given.filter(|(_, value)| is_scratch(value) || made && *value == "$").map(|(name, _)| name.to_owned()));
    }

    /// Whether a path, as seen from here, lies in a scratch folder.
    pub(super) fn is_scratch(&self, path: &str) -> bool {
        let held = path.strip_prefix('$').map(|name| name.trim_start_matches('{'));
        let name = held.map(|name| name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(name));
        let climbs = path.split('/').any(|part| part == "..");
        if !climbs && name.is_some_and(|name| self.held.iter().any(|h| h == name)) {
            return true;
        }
        let from_here = !path.starts_with(['/', '~', '$', '-', '\\']) && !path.contains(':');
        is_scratch(path) || self.scratch && from_here && !path.split('/').any(|part| part == "..")
    }
}

/// The program of a simple command and its arguments, redirections left out.
pub(super) fn simple(words: &[String]) -> Option<(&str, Vec<&str>)> {
    let mut words = words.iter().map(String::as_str).skip_while(|w| w.contains('=') || matches!(*w, "sudo" | "env" | "time" | "command"));
    let program = words.next()?;
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        match word.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['>', '<']) {
            None => rest.push(word),
            // The file may stand apart from its arrow.
            Some(file) if file.trim_start_matches(['>', '<', '-']).is_empty() => _ = words.next(),
            Some(_) => {}
        }
    }
    Some((program, rest))
}

/// A command line without the documents that it holds (`cat > a <<'EOF' …`): their lines are no commands.
pub(super) fn without_documents(command: &str) -> Cow<'_, str> {
    if !command.contains("<<") {
        return Cow::Borrowed(command);
    }
    let mut kept = String::with_capacity(command.len());
    let mut until: Option<(&str, bool)> = None;
    for line in command.lines() {
        if let Some((end, indented)) = until {
            let line = if indented { line.trim_start_matches('\t') } else { line };
            until = (line != end).then_some((end, indented));
            continue;
        }
        kept.push_str(line);
        kept.push('\n');
        // `<<<` is a word, not a document.
        let document = line.match_indices("<<").map(|(at, _)| &line[at + 2..]).find(|rest| !rest.starts_with('<'));
        until = document.filter(|_| !line.contains("<<<")).and_then(|rest| {
            let (rest, indented) = rest.strip_prefix('-').map_or((rest, false), |rest| (rest, true));
            let end = rest.trim_start().split([' ', '>', '|', ';', '&', ')']).next().unwrap_or("").trim_matches(['\'', '"', '\\']);
            let name = end.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            name.then_some((end, indented))
        });
    }
    Cow::Owned(kept)
}

/// The files that a simple command's output goes to.
fn redirected(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().enumerate().filter_map(|(k, word)| {
        let file = word.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('>')?.trim_start_matches('>');
        if file.is_empty() { words.get(k + 1).map(String::as_str) } else { Some(file) }
    })
}

/// Whether a shell command that changes files changes nothing outside of scratch folders. Only what is plain to see
/// counts: another verb than these may change anything.
#[must_use]
pub fn only_scratch(command: &str) -> bool {
    changes_only(command, |place, path, _| place.is_scratch(path))
}

/// Whether all that a command line changes is `inside`, which is asked for each file and told whether it is removed.
pub(super) fn changes_only(command: &str, inside: impl Fn(&Place, &str, bool) -> bool) -> bool {
    if writes_by_program(command) {
        return false;
    }
    let mut place = Place::default();
    let all = segments(&without_documents(command));
    all.iter().enumerate().all(|(at, words)| {
        place.learn(words, all.get(at + 1));
        let Some((program, rest)) = simple(words) else { return true };
        place.follow(program, &rest);
        let named: Vec<&str> = rest.iter().filter(|w| !w.starts_with('-')).copied().collect();
        let within = match program {
            "rm" => named.iter().all(|t| inside(&place, t, true)),
            // An empty folder is nothing yet.
            "mkdir" => true,
            "touch" | "truncate" | "tee" | "mv" => named.iter().all(|t| inside(&place, t, false)),
            "cp" | "ln" | "install" => named.last().is_none_or(|t| inside(&place, t, false)),
            "patch" | "sed" | "gsed" | "perl" => false,
            "git" => {
                !rest.iter().any(|w| matches!(*w, "apply" | "checkout" | "restore" | "reset" | "stash" | "revert" | "merge" | "rm" | "mv"))
            }
            _ => true,
        };
        within && redirected(words).all(|file| file.starts_with("/dev/") || inside(&place, file, false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_folders_of_the_system() {
        for path in ["/tmp/x", "/tmp", "/private/tmp/a/b", "/var/folders/zz/T/x", "$TMPDIR/x", "C:\\Users\\me\\AppData\\Local\\Temp\\x"] {
            assert!(is_scratch(path), "{path}");
        }
        for path in ["tmpl/x", "/w/tmp2", "/tmpfs/x", "src/a.rs", "/tmp/../w/p", "~/x", ""] {
            assert!(!is_scratch(path), "{path}");
        }
    }

    #[test]
    fn only_what_stays_in_scratch_is_no_edit() {
        for command in [
            "rm -rf /tmp/trial /tmp/out.json",
            "cd /tmp && mkdir -p trial && cd trial && touch a",
            "make report > /tmp/out.txt 2>&1",
            "cp src/a.rs /tmp/a.rs",
            "mkdir -p /tmp/x && ./tool 2>/dev/null > /tmp/x/log",
            "draft=$(mktemp).md\ncat > \"$draft\" <<'EOF'\nrm src/a.rs\nx > y\nEOF\nhandoff -P \"$draft\"",
            "out=/tmp/a.json && ./tool > $out",
            "f=$(mktemp -d) && touch ${f}/a; cat <<-END > $f/b\n\techo > c\n\tEND",
        ] {
            assert!(only_scratch(command), "{command}");
        }
        for command in [
            "rm /tmp/a src/b.rs",
            "mv /tmp/a src/b.rs",
            "mv src/b.rs /tmp/a",
            "cp /tmp/a src/b.rs",
            "cd /tmp && cp a /w/p/b",
            "echo x > notes.txt",
            "echo x >notes.txt",
            "sed -i s/a/b/ /w/p/a.rs && rm /tmp/x",
            "git checkout -- src && rm /tmp/x",
            "perl -pi -e s/a/b/ src/a.rs",
            "cd /tmp/x && rm ../../w/p/a.rs",
            "draft=$(mktemp) && cp $draft src/a.rs",
            "cat > $other <<'EOF'\nx\nEOF",
            "cat <<'EOF' > /tmp/a\nx\nEOF\nrm src/a.rs",
        ] {
            assert!(!only_scratch(command), "{command}");
        }
    }
}
