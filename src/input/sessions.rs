//! Which files of agents make one run: a session with its sub-agents, resumes, forks and copies; the files of a folder that
//! a headless loop left.

use crate::format::{Identity, Role};
use crate::input::group::{Group, folder_of};
use crate::input::{Found, named};
use crate::trace::Time;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Groups agents' files. `base` names a folder's run.
pub(super) fn group(files: Vec<Found>, groups: &mut Vec<Group>, base: impl Fn(u32, &str) -> String) {
    let (streams, mut sessions): (Vec<Found>, Vec<Found>) = files.into_iter().partition(|f| f.format.role() == Role::Stream);
    let streams = by_folder(streams);
    let folders: Vec<(u32, String)> = streams.keys().map(|(a, f, _)| (*a, f.clone())).collect();
    for ((argument, folder, _), mut files) in streams {
        // Of the two files that some loops write for each iteration the stream tells more than the bare result.
        files.sort_by_cached_key(of_streams);
        // A transcript of the same session is the stream's twin.
        let mut ids: HashSet<String> = files.iter().filter_map(|f| f.identity.as_ref()?.session.clone()).collect();
        // The threads behind the first of a file stand where a first look does not come.
        let open = |s: &&Found| s.argument == argument && s.format.id() == "codex";
        let wanted: HashSet<String> = sessions.iter().filter(open).filter_map(|s| s.identity.as_ref()?.session.clone()).collect();
        let many_threads = |f: &&Found| f.format.id() == "codex-exec" && wanted.iter().any(|w| !ids.contains(w));
        let more: Vec<String> = files.iter().filter(many_threads).flat_map(|f| named::sessions(f, &wanted)).collect();
        ids.extend(more);
        let (twins, others) = sessions.into_iter().partition(|s| {
            s.argument == argument && s.identity.as_ref().and_then(|i| i.session.as_ref()).is_some_and(|id| ids.contains(id))
        });
        sessions = others;
        // The transcript's counts are exact where a stream's lines are not, so it is read first.
        let mut twins: Vec<Found> = twins;
        twins.sort_by_cached_key(of_transcripts);
        let name_file = files.first().map_or("", |f| f.name().split('.').next().unwrap_or("")).to_owned();
        twins.append(&mut files);
        let files = twins;
        let many = folders.iter().filter(|(a, f)| *a == argument && *f == folder).count() > 1;
        let name = base(argument, &folder);
        let id = if many { format!("{name}/{name_file}") } else { name };
        groups.push(Group { id, files });
    }
    for mut files in linked(sessions) {
        files.sort_by_cached_key(of_transcripts);
        let id = files.first().map(|first| name_of(first, &base)).unwrap_or_default();
        groups.push(Group { id, files });
    }
}

/// The order in which the streams of a loop are read: by name, numbers as numbers. Of the two files that some loops write
/// for each iteration the stream tells more than the bare result.
fn of_streams(found: &Found) -> (Vec<(String, Option<u64>)>, bool) {
    (natural(&found.below.replace("_stream.", ".")), !found.below.contains("_stream."))
}

/// The order in which transcripts are read: parents before their sub-agents, copies before what went on from them.
fn of_transcripts(found: &Found) -> (bool, bool, Option<Time>, Option<u64>, Box<str>) {
    let identity = found.identity.as_deref();
    (
        identity.is_some_and(|i| i.side),
        identity.is_some_and(|i| i.parent.is_some()),
        identity.and_then(|i| i.started),
        identity.map(|i| i.size),
        found.below.clone(),
    )
}

/// Puts the agents' files of a loop behind its own: transcripts first, their counts are exact where a stream's are not.
pub(super) fn in_order(group: &mut Group) {
    let (mut files, agents): (Vec<Found>, Vec<Found>) = std::mem::take(&mut group.files).into_iter().partition(|f| f.identity.is_none());
    let (mut streams, mut transcripts): (Vec<Found>, Vec<Found>) = agents.into_iter().partition(|f| f.format.role() == Role::Stream);
    streams.sort_by_cached_key(of_streams);
    transcripts.sort_by_cached_key(of_transcripts);
    files.append(&mut transcripts);
    files.append(&mut streams);
    group.files = files;
}

/// A name as texts with the numbers between them, so that `iter-10` comes after `iter-9`.
fn natural(name: &str) -> Vec<(String, Option<u64>)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (before, after) = rest.split_at(text);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(digits);
        parts.push((before.to_owned(), (!number.is_empty()).then(|| number.parse().unwrap_or(u64::MAX))));
        rest = after;
    }
    parts
}

/// A session's id, else its file's stem.
fn name_of(first: &Found, base: &impl Fn(u32, &str) -> String) -> String {
    if let Some(session) = first.identity.as_ref().and_then(|i| i.session.clone()) {
        return session;
    }
    let stem = first.name().split('.').next().unwrap_or("").to_owned();
    if stem.is_empty() { base(first.argument, folder_of(first)) } else { stem }
}

/// Streams by folder and name pattern (digits left out), and by task where several are known.
fn by_folder(streams: Vec<Found>) -> BTreeMap<(u32, String, String), Vec<Found>> {
    let mut shapes: BTreeMap<(u32, String, String), Vec<Found>> = BTreeMap::new();
    for found in streams {
        // Loops that log the stream and the result of each iteration name them alike.
        let stem = found.name().split('.').next().unwrap_or("").trim_end_matches("_stream");
        // `iter-9` and `iter-10` are of one shape.
        let shape: String = natural(stem).into_iter().map(|(text, number)| if number.is_some() { text + "#" } else { text }).collect();
        shapes.entry((found.argument, folder_of(&found).to_owned(), shape)).or_default().push(found);
    }
    let mut runs = BTreeMap::new();
    for ((argument, folder, shape), files) in shapes {
        let task = |f: &Found| f.identity.as_ref().and_then(|i| i.task);
        let session = |f: &Found| f.identity.as_ref().and_then(|i| i.session.clone());
        let first = files.iter().find_map(task);
        let tasks: HashMap<String, u64> = files.iter().filter_map(|f| session(f).zip(task(f))).collect();
        for found in files {
            // A bare result names no folder: it goes with the stream of its session, else with the first.
            let by_session = || session(&found).and_then(|s| tasks.get(&s).copied());
            let key = format!("{shape} {:016x}", task(&found).or_else(by_session).or(first).unwrap_or(0));
            runs.entry((argument, folder.clone(), key)).or_insert_with(Vec::new).push(found);
        }
    }
    runs
}

/// Joins the files that share a session, a parent or a key.
pub(super) fn linked(files: Vec<Found>) -> Vec<Vec<Found>> {
    let mut parent: Vec<usize> = (0..files.len()).collect();
    let mut owner: HashMap<String, usize> = HashMap::new();
    for (k, found) in files.iter().enumerate() {
        let Some(identity) = found.identity.as_deref() else { continue };
        for key in keys(found, identity) {
            let first = *owner.entry(key).or_insert(k);
            let (a, b) = (root(&mut parent, first), root(&mut parent, k));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut sets: BTreeMap<usize, Vec<Found>> = BTreeMap::new();
    for (k, found) in files.into_iter().enumerate() {
        sets.entry(root(&mut parent, k)).or_default().push(found);
    }
    sets.into_values().collect()
}

fn root(parent: &mut [usize], mut k: usize) -> usize {
    while parent[k] != k {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    k
}

/// What a file can be joined by, within its argument: session, parent, shared calls, and the session's folder in which
/// sub-agents' files lie.
fn keys(found: &Found, identity: &Identity) -> Vec<String> {
    let mut keys: Vec<String> = identity.keys.iter().map(|k| format!("{}:{k:016x}", found.format.id())).collect();
    keys.extend(identity.session.iter().chain(&identity.parent).map(|s| format!("session:{s}")));
    let parts: Vec<&str> = found.below.split('/').collect();
    if let Some(at) = parts.iter().position(|p| *p == "subagents").filter(|at| *at > 0) {
        keys.push(format!("session:{}", parts[at - 1]));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_names_are_numbers() {
        let mut names = ["logs/iter-10", "logs/iter-9", "logs/iter", "logs/iter-9b", "logs/2026-01-02", "logs/2026-01-10"];
        names.sort_by_cached_key(|n| natural(n));
        assert_eq!(names, ["logs/2026-01-02", "logs/2026-01-10", "logs/iter", "logs/iter-9", "logs/iter-9b", "logs/iter-10"]);
        assert_eq!(natural("a99999999999999999999"), [("a".to_owned(), Some(u64::MAX))]);
    }
}
