//! Codex: its rollouts, and what `codex exec --json` prints.

mod call;
mod counts;
mod exec;
mod items;
mod lines;
mod output;
mod reader;
mod record;
mod rollout;
mod speech;
mod stretch;

pub(super) use exec::Exec;
pub(super) use rollout::Rollout;

#[cfg(test)]
mod tests;
