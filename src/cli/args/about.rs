//! What the commands about the program itself take.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Clone)]
pub(crate) struct SchemaArgs {
    /// triage, report or check; without a name the list of them
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
}

#[derive(Args, Clone)]
pub(crate) struct FormatsArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone)]
#[command(after_help = "Example: loopmortem completions bash > ~/.local/share/bash-completion/completions/loopmortem")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Clone)]
#[command(after_help = "Example: loopmortem man | man -l -")]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder, which is made if need be [default: the main page, on standard output]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
