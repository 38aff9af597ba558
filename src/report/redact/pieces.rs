//! Pieces that the patterns of many shapes share.

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

/// From the end of a setting's name to its value: `=`, `: `, `":"`, `\": `, `'] = `, ` => `, `: &str = `. What it can start
/// with, `value::may_follow_name` must know.
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

pub(super) use {assign, path_start, start, user};
