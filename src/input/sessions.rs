//! Which files of agents make one run: a session with its sub-agents, resumes, forks and copies; the files of a folder that
//! a headless loop left.

use crate::format::{Identity, Role};
use crate::input::Found;
use crate::input::group::{Group, folder_of};
use std::collections::{BTreeMap, HashMap};

/// Groups agents' files. `base` names a folder's run.
pub(super) fn group(files: Vec<Found>, groups: &mut Vec<Group>, base: impl Fn(u32, &str) -> String) {
    let (streams, mut sessions): (Vec<Found>, Vec<Found>) = files.into_iter().partition(|f| f.format.role() == Role::Stream);
    let streams = by_folder(streams);
    let folders: Vec<(u32, String)> = streams.keys().map(|(a, f, _)| (*a, f.clone())).collect();
    for ((argument, folder, _), mut files) in streams {
        // Of the two files that some loops write for each iteration the stream tells more than the bare result.
        files.sort_by_cached_key(|f| (f.below.replace("_stream.", "."), !f.below.contains("_stream.")));
        // A transcript of the same session in the same folder is the stream's twin.
        let ids: Vec<String> = files.iter().filter_map(|f| f.identity.as_ref()?.session.clone()).collect();
        let (twins, others) = sessions.into_iter().partition(|s| {
            s.argument == argument && s.identity.as_ref().and_then(|i| i.session.as_ref()).is_some_and(|id| ids.contains(id))
        });
        sessions = others;
        // The transcript's counts are exact where a stream's lines are not, so it is read first.
        let mut twins: Vec<Found> = twins;
        twins.append(&mut files);
        let files = twins;
        let many = folders.iter().filter(|(a, f)| *a == argument && *f == folder).count() > 1;
        let name = base(argument, &folder);
        let stem = files.first().map_or("", |f| f.name().split('.').next().unwrap_or("")).to_owned();
        let id = if many { format!("{name}/{stem}") } else { name };
        groups.push(Group { id, files });
    }
    for mut files in linked(sessions) {
        files.sort_by_cached_key(|f| {
            let identity = f.identity.as_deref();
            (
                identity.is_some_and(|i| i.side),
                identity.is_some_and(|i| i.parent.is_some()),
                identity.and_then(|i| i.started),
                identity.map(|i| i.size),
                f.below.clone(),
            )
        });
        let id = files.first().map(|first| name_of(first, &base)).unwrap_or_default();
        groups.push(Group { id, files });
    }
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
        let shape: String = stem.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
        shapes.entry((found.argument, folder_of(&found).to_owned(), shape)).or_default().push(found);
    }
    let mut runs = BTreeMap::new();
    for ((argument, folder, shape), files) in shapes {
        let task = |f: &Found| f.identity.as_ref().and_then(|i| i.task);
        let first = files.iter().find_map(task);
        for found in files {
            // A bare result names no folder: it goes with the first.
            let key = format!("{shape} {:016x}", task(&found).or(first).unwrap_or(0));
            runs.entry((argument, folder.clone(), key)).or_insert_with(Vec::new).push(found);
        }
    }
    runs
}

/// Joins the files that share a session, a parent or a key.
fn linked(files: Vec<Found>) -> Vec<Vec<Found>> {
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
