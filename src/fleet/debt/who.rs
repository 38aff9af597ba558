//! Whose a commit is, and whether a person looked at it, by the names that stand in it.

use super::git::Commit;

/// Names under which coding agents and other programs commit.
const AGENTS: &[&str] = &[
    "claude",
    "anthropic",
    "codex",
    "openai",
    "chatgpt",
    "copilot",
    "gemini",
    "cursor",
    "cursoragent",
    "aider",
    "opencode",
    "openhands",
    "devin",
    "qwen",
    "goose",
    "cline",
    "crush",
    "ralph",
    "swe-agent",
    "autogen",
    "bot",
    "agent",
];

/// Trailers by which a person says to have read a change.
const REVIEWS: &[&str] = &["reviewed-by", "acked-by", "approved-by"];

/// Whether a name with its address is no agent's. Whole words count: a Claudette is a person.
pub(super) fn is_person(who: &str) -> bool {
    let lower = who.to_lowercase();
    // What stands behind the @ is a host: a person may work where an agent is made.
    let named = lower.split_whitespace().map(|word| word.split('@').next().unwrap_or(word));
    let mut words = named.flat_map(|w| w.split(|c: char| !c.is_alphanumeric() && c != '-')).filter(|w| !w.is_empty());
    let automatic = lower.contains("noreply@anthropic.com") || lower.contains("noreply@openai.com");
    !automatic && !words.any(|w| AGENTS.contains(&w) || w.ends_with("-bot") || w.ends_with("-agent"))
}

fn trailer(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once(':')?;
    Some((key.trim().to_ascii_lowercase(), value.trim()))
}

fn co_authors(commit: &Commit) -> impl Iterator<Item = &str> {
    commit.trailers.iter().filter_map(|t| trailer(t)).filter(|(key, _)| key == "co-authored-by").map(|(_, who)| who)
}

/// An agent wrote it, committed it or is named as its co-author.
pub(super) fn of_a_loop(commit: &Commit) -> bool {
    !is_person(&commit.author) || !is_person(&commit.committer) || co_authors(commit).any(|who| !is_person(who))
}

/// A person says to have read it: in a trailer that is not the author's own, or as the co-author of what an agent wrote.
pub(super) fn reviewed(commit: &Commit) -> bool {
    let own = |who: &str| who.replace(['<', '>'], "").trim() == commit.author.trim();
    let read = commit
        .trailers
        .iter()
        .filter_map(|t| trailer(t))
        .any(|(key, who)| REVIEWS.contains(&key.as_str()) && !who.is_empty() && is_person(who) && !own(who));
    read || !is_person(&commit.author) && co_authors(commit).any(is_person)
}
