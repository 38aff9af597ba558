//! Which language a path is written in, and what its comments and strings look like.

use super::util::base_name;

/// Languages, as far as their tests differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lang {
    Python,
    Js,
    Rust,
    Go,
    /// Java, Kotlin, Scala, Groovy.
    Jvm,
    CSharp,
    Ruby,
    Php,
    /// C, C++, Objective-C.
    C,
    Shell,
    /// YAML, TOML, INI, make: `#` comments and lines of keys and values.
    Keyed,
    /// JSON, with the comments that many tools allow.
    Json,
    Other,
}

/// When `#` opens a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hash {
    Never,
    Anywhere,
    /// Only at the beginning of a word: `${x#y}` is no comment.
    AfterBlank,
}

/// What the lexer has to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Syntax {
    pub(super) hash: Hash,
    /// `//` comments.
    pub(super) slashes: bool,
    /// `/* */` comments.
    pub(super) block: bool,
    /// `'` opens a string; otherwise it can only be a single character.
    pub(super) single: bool,
    /// `"""` (and with `single` also `'''`) opens a string over lines.
    pub(super) triple: bool,
    /// A backtick opens a string over lines.
    pub(super) backtick: bool,
    /// A plain `"` string may run over lines, and `r#"` is raw.
    pub(super) rust: bool,
    /// `/x/` may be a regular expression.
    pub(super) regex: bool,
}

impl Lang {
    /// By the file's name.
    pub(super) fn of(path: &str) -> Self {
        let base = base_name(path).to_ascii_lowercase();
        if matches!(base.as_str(), "makefile" | "gnumakefile" | "justfile" | ".coveragerc" | ".flake8" | ".pylintrc" | "pylintrc") {
            return Self::Keyed;
        }
        if matches!(base.as_str(), "rakefile" | "gemfile" | "guardfile") {
            return Self::Ruby;
        }
        if base == "jenkinsfile" {
            return Self::Jvm;
        }
        let Some((stem, extension)) = base.rsplit_once('.') else { return Self::Shell };
        match extension {
            "py" | "pyi" => Self::Python,
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte" => Self::Js,
            "rs" => Self::Rust,
            "go" => Self::Go,
            "java" | "kt" | "kts" | "scala" | "groovy" | "gradle" => Self::Jvm,
            "cs" => Self::CSharp,
            "rb" => Self::Ruby,
            "php" => Self::Php,
            "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "m" | "mm" => Self::C,
            "sh" | "bash" | "zsh" | "bats" => Self::Shell,
            "yml" | "yaml" | "toml" | "ini" | "cfg" | "mk" | "neon" => Self::Keyed,
            "json" | "jsonc" | "json5" => Self::Json,
            // `.eslintrc` and `.nycrc` are JSON, `.rspec` is a list of flags.
            "eslintrc" | "nycrc" | "c8rc" | "mocharc" if stem.is_empty() => Self::Json,
            _ => Self::Other,
        }
    }

    /// What its comments and strings look like.
    pub(super) fn syntax(self) -> Syntax {
        let none = Syntax {
            hash: Hash::Never,
            slashes: false,
            block: false,
            single: false,
            triple: false,
            backtick: false,
            rust: false,
            regex: false,
        };
        let c_like = Syntax { slashes: true, block: true, ..none };
        match self {
            Self::Python => Syntax { hash: Hash::Anywhere, single: true, triple: true, ..none },
            Self::Js => Syntax { single: true, backtick: true, regex: true, ..c_like },
            Self::Rust => Syntax { rust: true, ..c_like },
            Self::Go => Syntax { backtick: true, ..c_like },
            Self::Jvm | Self::CSharp => Syntax { triple: true, ..c_like },
            Self::C => c_like,
            Self::Ruby => Syntax { hash: Hash::Anywhere, single: true, ..none },
            Self::Php => Syntax { hash: Hash::AfterBlank, single: true, ..c_like },
            Self::Shell | Self::Keyed => Syntax { hash: Hash::AfterBlank, single: true, ..none },
            Self::Json => Syntax { slashes: true, block: true, ..none },
            Self::Other => none,
        }
    }
}
