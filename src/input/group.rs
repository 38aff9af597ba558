//! Which files make one run: a folder's log with what lies beside it.

use crate::format::Role;
use crate::input::{Found, STDIN, named, plain_name, sessions};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// The files of one run.
#[derive(Clone)]
pub struct Group {
    /// The run's id: its folder below the argument, or the file's name for a lone file.
    pub id: String,
    /// Its files: the log first, then its companions, each kind in the order of names.
    pub files: Vec<Found>,
}

/// Groups what was found. The order is that of arguments and paths, and ids are unique.
#[must_use]
pub fn group(files: Vec<Found>, arguments: &[PathBuf]) -> Vec<Group> {
    let mut folders: BTreeMap<(u32, String), Vec<Found>> = BTreeMap::new();
    let mut agents = Vec::new();
    for found in files {
        if found.identity.is_some() {
            agents.push(found);
        } else {
            folders.entry((found.argument, folder_of(&found).to_owned())).or_default().push(found);
        }
    }
    let mut groups = Vec::new();
    for ((argument, folder), files) in folders {
        let base = base(argument, &folder, arguments);
        split_folder(&base, &folder, files, &mut groups);
    }
    let agents = join_loops(agents, &mut groups);
    let agents = join_named(agents, &mut groups);
    groups.iter_mut().for_each(sessions::in_order);
    sessions::group(agents, &mut groups, |argument, folder| base(argument, folder, arguments));
    make_unique(&mut groups, arguments);
    groups
}

/// The folder of a file, below its argument.
pub(super) fn folder_of(found: &Found) -> &str {
    found.below.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What a folder's run is called.
fn base(argument: u32, folder: &str, arguments: &[PathBuf]) -> String {
    if folder.is_empty() { argument_name(arguments.get(argument as usize)) } else { folder.to_owned() }
}

/// An agent's files in or below the folder of a loop's log belong to that loop. Returns those that belong to none.
fn join_loops(agents: Vec<Found>, groups: &mut [Group]) -> Vec<Found> {
    let mut loops: HashMap<(u32, String), Option<usize>> = HashMap::new();
    for (k, group) in groups.iter().enumerate() {
        let log = group.files.iter().find(|f| f.by_name && f.format.role() == Role::Log && !f.below.is_empty());
        if let Some(log) = log {
            // Two loops in one folder: whose the session is cannot be told.
            loops.entry((log.argument, folder_of(log).to_owned())).and_modify(|slot| *slot = None).or_insert(Some(k));
        }
    }
    if loops.is_empty() {
        return agents;
    }
    let mut free = Vec::new();
    for found in agents {
        let mut folder = folder_of(&found);
        let owner = loop {
            if let Some(owner) = loops.get(&(found.argument, folder.to_owned())) {
                break *owner;
            }
            match folder.rsplit_once('/') {
                Some((above, _)) => folder = above,
                None if folder.is_empty() => break None,
                None => folder = "",
            }
        };
        match owner {
            Some(k) => groups[k].files.push(found),
            None => free.push(found),
        }
    }
    free
}

/// Sessions that a loop's log or state names belong to that loop, wherever they lie, and with them their sub-agents, resumes
/// and forks. Returns those that none names.
fn join_named(agents: Vec<Found>, groups: &mut [Group]) -> Vec<Found> {
    let id = |f: &Found| f.identity.as_ref().and_then(|i| i.session.clone()).filter(|id| named::is_telling(id));
    let wanted: HashSet<String> = agents.iter().filter_map(id).collect();
    let mut owner: HashMap<(u32, String), usize> = HashMap::new();
    for (k, group) in groups.iter().enumerate().filter(|_| !wanted.is_empty()) {
        let tells = |f: &&Found| f.identity.is_none() && (f.format.role() == Role::Log || f.format.id() == "loop-state");
        for found in group.files.iter().filter(tells) {
            for session in named::sessions(found, &wanted) {
                owner.entry((found.argument, session)).or_insert(k);
            }
        }
    }
    if owner.is_empty() {
        return agents;
    }
    let mut free = Vec::new();
    for set in sessions::linked(agents) {
        match set.iter().find_map(|f| owner.get(&(f.argument, id(f)?))) {
            Some(k) => groups[*k].files.extend(set),
            None => free.extend(set),
        }
    }
    free
}

/// The name of what the user pointed at: the folder's own name, a file's stem, or its folder's where the file is
/// called like every loop's log.
fn argument_name(argument: Option<&PathBuf>) -> String {
    let Some(path) = argument else { return String::new() };
    if path.as_os_str() == STDIN {
        return "stdin".to_owned();
    }
    let name = |p: &std::path::Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    if path.is_dir() {
        return name(path).or_else(|| name(&path.canonicalize().ok()?)).unwrap_or_else(|| "run".to_owned());
    }
    let stem = stem(plain_name(path));
    if !stem.is_empty() {
        return stem;
    }
    let folder = path.canonicalize().ok().and_then(|p| p.parent().and_then(name));
    folder.unwrap_or_else(|| plain_name(path).to_owned())
}

/// A file's name without dots before and endings behind, and without the words that all loop logs share.
fn stem(name: &str) -> String {
    let name = name.trim_start_matches('.');
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("");
    if ["loop_log", "loop-log", "log", "heartbeat", "loop_heartbeat", "loop_state"].contains(&stem) {
        String::new()
    } else {
        stem.to_owned()
    }
}

/// What stands in a name before the word that its format's files share: it tells two loops in one folder apart.
fn prefix(found: &Found) -> String {
    let name = found.name().to_ascii_lowercase();
    let Some(word) = found.format.name_word() else { return String::new() };
    let at = name.find(word).or_else(|| name.find(&word.replace('_', "-"))).unwrap_or(0);
    let prefix = name[..at].trim_matches(['.', '_', '-']);
    // `.loop_heartbeat` and `loop-budget.yaml` belong to `.loop_log.jsonl`
    let prefix = prefix.strip_suffix("loop").unwrap_or(prefix).trim_matches(['.', '_', '-']);
    // `loop_log_api.jsonl` is another loop's; `loop_log-2026-11-28.jsonl` the same loop's of another night.
    let after = name.get(at + word.len()..).unwrap_or("").split('.').next().unwrap_or("").trim_matches(['_', '-']);
    let dated = after.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'_' | b't' | b'z' | b':'));
    match (prefix, dated) {
        (prefix, true) => prefix.to_owned(),
        ("", false) => after.to_owned(),
        (prefix, false) => format!("{prefix}-{after}"),
    }
}

fn split_folder(base: &str, folder: &str, files: Vec<Found>, groups: &mut Vec<Group>) {
    let lone = |stem: &str| if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") };
    let mut runs: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    let mut companions = Vec::new();
    for found in files {
        match (found.by_name || found.below.is_empty(), found.format.role()) {
            (true, Role::Log) => runs.entry(prefix(&found)).or_default().push(found),
            (_, Role::Companion) => companions.push(found),
            // A log that only its content gives away, say events.jsonl: a run by itself.
            _ => {
                let stem = stem(found.name());
                let id = if stem.is_empty() { base.to_owned() } else { lone(&stem) };
                groups.push(Group { id, files: vec![found] });
            }
        }
    }
    let only = (runs.len() == 1).then(|| runs.keys().next().cloned()).flatten();
    for found in companions {
        let prefix = prefix(&found);
        let owner = if runs.contains_key(&prefix) { prefix } else { only.clone().unwrap_or(prefix) };
        runs.entry(owner).or_default().push(found);
    }
    let many = runs.len() > 1;
    for (prefix, mut files) in runs {
        files.sort_by_cached_key(order);
        let id = if many && !prefix.is_empty() { lone(&prefix) } else { base.to_owned() };
        groups.push(Group { id, files });
    }
}

/// Logs before companions, rotated logs oldest first (`.2`, `.1`, then the live one).
fn order(found: &Found) -> (bool, std::cmp::Reverse<u32>, String) {
    let name = found.name();
    let rotation = name.rsplit_once('.').and_then(|(_, n)| n.parse().ok()).unwrap_or(0);
    (found.format.role() == Role::Companion, std::cmp::Reverse(rotation), name.to_owned())
}

/// Equal ids get their argument in front, and a number where that does not help.
fn make_unique(groups: &mut [Group], arguments: &[PathBuf]) {
    let count = |groups: &[Group]| {
        let mut seen: HashMap<String, u32> = HashMap::new();
        for group in groups {
            *seen.entry(group.id.clone()).or_default() += 1;
        }
        seen
    };
    let seen = count(groups);
    for group in groups.iter_mut().filter(|g| seen.get(&g.id).is_some_and(|n| *n > 1)) {
        if let Some(argument) = group.files.first().and_then(|f| arguments.get(f.argument as usize)) {
            let argument = argument.display().to_string();
            let argument = argument.trim_end_matches('/').trim_start_matches("./");
            if !argument.ends_with(&group.id) {
                group.id = format!("{argument}/{}", group.id);
            } else {
                argument.clone_into(&mut group.id);
            }
        }
    }
    let seen = count(groups);
    let mut given: HashMap<String, u32> = HashMap::new();
    for group in groups.iter_mut().filter(|g| seen.get(&g.id).is_some_and(|n| *n > 1)) {
        let n = given.entry(group.id.clone()).or_default();
        *n += 1;
        if *n > 1 {
            group.id = format!("{}~{n}", group.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Options, discover};

    fn ids(files: &[&str], arguments: &[&str]) -> Vec<(String, Vec<String>)> {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "{\"ts\":1764460800,\"iter\":1,\"event\":\"iter_start\",\"detail\":\"\"}\n").unwrap();
        }
        let arguments: Vec<PathBuf> = arguments.iter().map(|a| dir.path().join(a)).collect();
        let found = discover(&arguments, Options::default());
        let groups = group(found.files, &arguments);
        groups
            .into_iter()
            .map(|g| (g.id, g.files.iter().map(|f| f.path().file_name().unwrap().to_string_lossy().into_owned()).collect()))
            .collect()
    }

    #[test]
    fn a_folder_is_a_run_with_its_companions() {
        let got = ids(
            &[
                "night/a/.loop_log.jsonl",
                "night/a/.loop_heartbeat",
                "night/a/loop-budget.yaml",
                "night/b/loop_log.jsonl",
                "night/b/notes.md",
            ],
            &["night"],
        );
        assert_eq!(
            got,
            [
                ("a".to_owned(), vec![".loop_log.jsonl".to_owned(), ".loop_heartbeat".to_owned(), "loop-budget.yaml".to_owned()]),
                ("b".to_owned(), vec!["loop_log.jsonl".to_owned()])
            ]
        );
    }

    #[test]
    fn two_loops_in_one_folder_are_told_apart_by_what_stands_before() {
        let got = ids(&["x/api.loop_log.jsonl", "x/ui.loop_log.jsonl", "x/ui.heartbeat"], &["x"]);
        assert_eq!(
            got,
            [
                ("api".to_owned(), vec!["api.loop_log.jsonl".to_owned()]),
                ("ui".to_owned(), vec!["ui.loop_log.jsonl".to_owned(), "ui.heartbeat".to_owned()])
            ]
        );
    }

    #[test]
    fn rotated_logs_are_one_run_oldest_first() {
        let got = ids(&["x/loop_log.jsonl", "x/loop_log.jsonl.1", "x/loop_log.jsonl.10", "x/loop_log.jsonl.2"], &["x"]);
        assert_eq!(
            got,
            [(
                "x".to_owned(),
                ["loop_log.jsonl.10", "loop_log.jsonl.2", "loop_log.jsonl.1", "loop_log.jsonl"].map(ToOwned::to_owned).to_vec()
            )]
        );
    }

    #[test]
    fn ids_are_unique_over_arguments_and_nothing_is_counted_twice() {
        let files = ["one/run/loop_log.jsonl", "two/run/loop_log.jsonl"];
        let got = ids(&files, &["one", "two", "one/run"]);
        assert_eq!(got.len(), 2);
        assert!(got[0].0.ends_with("one/run") && got[1].0.ends_with("two/run"), "{got:?}");
        assert_eq!(ids(&["deep/er/events.jsonl"], &["deep"])[0].0, "er/events");
        assert_eq!(ids(&["solo/.loop_log.jsonl"], &["solo/.loop_log.jsonl"])[0].0, "solo");
    }
}
