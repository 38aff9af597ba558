//! The shell's null command.

use super::words::commands;

/// Whether a text is the null command and nothing else: it does nothing, whatever it is given.
pub(in crate::trace) fn is_null_command(text: &str) -> bool {
    let text = text.trim();
    let expands = text.contains("$(") || text.contains('`') || text.contains("${");
    text.starts_with(':') && !expands && {
        let all = commands(text);
        all.len() == 1 && all.iter().all(|c| c.redirects.is_empty() && c.words.first().is_some_and(|w| w == ":"))
    }
}

#[cfg(test)]
mod tests {
    use super::is_null_command;

    #[test]
    fn the_null_command_and_what_only_begins_like_it() {
        for text in [":", ": ", ": python3 a.py", ": 'x; y'", ": a 2>&1"] {
            assert!(is_null_command(text), "{text}");
        }
        for text in [":ls", ": a; ls", ": > a", ": && ls", ": $(ls)", ": \nls", ": ${x:=1}", ": | cat", "", "echo :"] {
            assert!(!is_null_command(text), "{text}");
        }
    }
}
