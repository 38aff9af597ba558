//! `completions` and `man`: both from the table of arguments.

use crate::cli::args::{self, CompletionsArgs, ManArgs};
use crate::cli::exit;
use anyhow::Context as _;
use std::io::Write as _;

const NAME: &str = "loopmortem";

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), NAME, &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(exit::OK)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<u8> {
    let mut command = args::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.out else {
        std::io::stdout().lock().write_all(&page(&command)?)?;
        return Ok(exit::OK);
    };
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let pages = std::iter::once(command.clone()).chain(command.get_subcommands().map(|sub| {
        let name = format!("{NAME}-{}", sub.get_name());
        sub.clone().name(name.clone()).display_name(name)
    }));
    for command in pages {
        let path = folder.join(format!("{}.1", command.get_name()));
        std::fs::write(&path, page(&command)?).with_context(|| path.display().to_string())?;
    }
    Ok(exit::OK)
}

fn page(command: &clap::Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
