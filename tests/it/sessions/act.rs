//! What can happen in a transcript, whoever writes it.

/// A tool call as the agents know it.
#[derive(Clone, Debug)]
pub(super) enum Tool {
    Bash(String),
    Read(String),
    Grep(String, String),
    Edit {
        path: String,
        old: String,
        new: String,
    },
    Write {
        path: String,
        content: String,
    },
    /// Looks at a command that runs in the background.
    Poll(String),
    /// The agent's own list.
    Plan(usize),
}

/// A call with its answer.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) tool: Tool,
    pub(super) out: String,
    pub(super) code: i32,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// A person asks.
    Person(String),
    /// A hook or a loop feeds the prompt back.
    Fed(String),
    /// The agent speaks; `true` where its turn ends with it.
    Say(String, bool),
    Call(Call),
    /// A call that is never answered.
    Open(Tool),
    /// The service failed and the client tries again.
    Retry,
    Compact,
    Interrupt,
}

impl Act {
    pub(super) fn bash(command: &str, out: impl Into<String>, code: i32) -> Self {
        Self::Call(Call { tool: Tool::Bash(command.to_owned()), out: out.into(), code })
    }

    pub(super) fn edit(path: &str, old: impl Into<String>, new: impl Into<String>) -> Self {
        let out = format!("The file /w/p/{path} has been updated.");
        Self::Call(Call { tool: Tool::Edit { path: path.to_owned(), old: old.into(), new: new.into() }, out, code: 0 })
    }

    pub(super) fn read(path: &str, out: impl Into<String>) -> Self {
        Self::Call(Call { tool: Tool::Read(path.to_owned()), out: out.into(), code: 0 })
    }

    pub(super) fn done(text: &str) -> Self {
        Self::Say(text.to_owned(), true)
    }
}
