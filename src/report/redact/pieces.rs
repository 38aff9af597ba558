//! Pieces that the patterns and triggers of many shapes share.

/// Where a token may start: not within a word, but behind an escape (`\n`, `\u0022`), an encoded character (`%3D`) or
/// a colour (`ESC[32m`), whose last letter looks like a word's.
macro_rules! start {
    () => {
        r"(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,16}m)"
    };
}

/// Where an absolute path may start: not within a path or an address.
macro_rules! path_start {
    () => {
        r"(?:^|[^A-Za-z0-9_./~}\\-]|\\[nrt]|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,16}m|file://|(?:^|[ \t\x22'=])-[IL])"
    };
}

/// The name of a user's directory, up to whatever ends it in a log.
macro_rules! user {
    () => {
        "[A-Za-z0-9_\u{80}-\u{2009}\u{2100}-\u{22ff}\u{2440}-\u{10ffff}][^ \t\r\n/\\\\\"'`:,;|<>()\\[\\]{}$*&?!=#⏎␍…]*"
    };
}

/// From the end of a setting's name to its value: `=`, `: `, `":"`, `\": `, `'] = `, ` => `, `: &str = `. What it starts with
/// must be among the endings in [`assigned!`].
macro_rules! assign {
    // A type between the name and its value.
    (@type) => {
        concat!(
            r"(?:&(?:'static[ \t]+)?)?(?:str|string|String|SecretString|bytes|any)",
            r"(?:[ \t]*\|[ \t]*(?:None|null|undefined))?[ \t]*=",
        )
    };
    () => {
        concat!(
            r"(?:[_-]?[0-9]{1,3}|(?i-u:[_-](?:base|prod|production|staging|dev|live|primary|secondary|backup|b64|base64)))?",
            r#"\??[\\"'`\])]{0,6}"#,
            r"(?:[ \t]+",
            assign!(@type),
            r"|[ \t]*(?::[ \t]*",
            assign!(@type),
            r"|:=|=>|={1,3}|:|%3[Dd]))[ \t]*",
        )
    };
}

/// Triggers of a name that [`assign!`] follows: the name with everything that may come next. Alone it would be seen all the
/// time, as `token` is in `input_tokens`.
macro_rules! assigned {
    ($($name:literal),+) => {
        &[$(
            concat!($name, "="), concat!($name, ":"), concat!($name, " ="), concat!($name, " :"), concat!($name, "\t"),
            concat!($name, "  "), concat!($name, "%3d"), concat!($name, "?"), concat!($name, "\""), concat!($name, "'"),
            concat!($name, "`"), concat!($name, "\\"), concat!($name, "]"), concat!($name, ")"),
            concat!($name, " &"), concat!($name, " s"), concat!($name, " b"), concat!($name, " a"), // before a type
            concat!($name, "_"), concat!($name, "-"), concat!($name, "0"), concat!($name, "1"), concat!($name, "2"),
            concat!($name, "3"), concat!($name, "4"), concat!($name, "5"), concat!($name, "6"), concat!($name, "7"),
            concat!($name, "8"), concat!($name, "9"),
        )+]
    };
}

pub(super) use {assign, assigned, path_start, start, user};
