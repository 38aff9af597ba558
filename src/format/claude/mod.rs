//! Claude Code: session transcripts, and what `claude -p` prints. Both are made of the same messages.

mod content;
mod lines;
mod record;
mod stream;
mod transcript;

pub(super) use stream::Stream;
pub(super) use transcript::Transcript;
