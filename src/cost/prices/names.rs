//! Names of models: the many spellings of one model, taken apart. There is no family fallback: a name that is merely
//! like a listed one has no price.

/// Clouds and gateways that pass a maker's model on under the maker's name for it.
const GATEWAYS: [&str; 11] = [
    "amazon-bedrock",
    "azure",
    "azure_ai",
    "bedrock",
    "google-vertex",
    "google-vertex-anthropic",
    "litellm_proxy",
    "models", // Gemini's own API: models/gemini-…
    "openrouter",
    "vertex_ai",
    "vertex_ai_beta",
];

/// Makers as a prefix spells them, and as listings name them.
const MAKERS: [(&str, &str); 17] = [
    ("anthropic", "anthropic"),
    ("openai", "openai"),
    ("google", "gemini"),
    ("gemini", "gemini"),
    ("x-ai", "xai"),
    ("xai", "xai"),
    ("z-ai", "zai"),
    ("zai", "zai"),
    ("zai-org", "zai"),
    ("moonshot", "moonshot"),
    ("moonshotai", "moonshot"),
    ("deepseek", "deepseek"),
    ("mistral", "mistral"),
    ("mistralai", "mistral"),
    ("qwen", "dashscope"),
    ("alibaba", "dashscope"),
    ("dashscope", "dashscope"),
];

/// Bedrock's inference regions, as in `us.anthropic.claude-…`.
const REGIONS: [&str; 8] = ["us", "eu", "apac", "au", "ca", "global", "jp", "us-gov"];

/// Whose model a bare name is, for names that several providers list.
const FAMILIES: [(&str, &str); 7] = [
    ("deepseek", "deepseek"),
    ("gemini", "gemini"),
    ("glm", "zai"),
    ("grok", "xai"),
    ("kimi", "moonshot"),
    ("mistral", "mistral"),
    ("qw", "dashscope"),
];

/// A name without its prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// The model's own name; still with a `/` where the prefix is none that may be stripped.
    pub(super) bare: &'a str,
    /// A cloud or gateway stood before it.
    pub(super) gateway: bool,
    /// The maker that stood before it.
    pub(super) maker: Option<&'static str>,
    /// The maker was set off by a dot, as Bedrock does.
    dotted: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        let mut parts = Self { bare: name, gateway: false, maker: None, dotted: false };
        while let Some((head, rest)) = parts.bare.split_once('/') {
            if GATEWAYS.contains(&head) {
                parts.gateway = true;
            } else if let Some(maker) = maker(head) {
                parts.maker = Some(maker);
            } else {
                break;
            }
            parts.bare = rest;
        }
        if let Some((head, rest)) = parts.bare.split_once('.')
            && REGIONS.contains(&head)
        {
            parts.gateway = true;
            parts.bare = rest;
        }
        if let Some((head, rest)) = parts.bare.split_once('.')
            && let Some(maker) = maker(head)
        {
            parts.gateway = true;
            parts.maker = Some(maker);
            parts.dotted = true;
            parts.bare = rest;
        }
        parts
    }

    /// Whether any prefix was stripped.
    pub(super) fn prefixed(&self) -> bool {
        self.gateway || self.maker.is_some()
    }

    /// The bare name, then it with one suffix less each: `[1m]`, `-v1:0`, `@20250929`, `-20250929`, `-2025-09-29`.
    pub(super) fn stages(self) -> impl Iterator<Item = &'a str> {
        std::iter::successors(Some(self.bare), move |name| without_suffix(name, self.dotted))
    }

    /// The bare name without any suffix: what all dated spellings of a model share.
    pub(super) fn stem(self) -> &'a str {
        self.stages().last().unwrap_or(self.bare)
    }
}

/// The one name of a model: without prefixes and dates, so that two logs of one model agree.
#[must_use]
pub fn plain_name(model: &str) -> String {
    dashed(Parts::of(model).stem())
}

fn maker(head: &str) -> Option<&'static str> {
    MAKERS.iter().find(|(spelling, _)| *spelling == head).map(|(_, provider)| *provider)
}

/// The provider whose own model a bare name is.
pub(super) fn family(bare: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|(start, _)| bare.starts_with(start)).map(|(_, provider)| *provider)
}

fn without_suffix(name: &str, dotted: bool) -> Option<&str> {
    let rest = context_mark(name).or_else(|| version(name, dotted)).or_else(|| dated(name))?;
    if rest.is_empty() { None } else { Some(rest) }
}

/// `[1m]`: Claude Code's mark for a long context window.
fn context_mark(name: &str) -> Option<&str> {
    let (rest, mark) = name.strip_suffix(']')?.rsplit_once('[')?;
    (!mark.is_empty() && mark.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(rest)
}

/// `-v1:0`. Without the colon it is a cloud's version only after a cloud's prefix or a date: `deepseek-coder-v2` is
/// another model than `deepseek-coder`.
fn version(name: &str, dotted: bool) -> Option<&str> {
    let (rest, version) = name.rsplit_once("-v")?;
    let cloud = match version.split_once(':') {
        Some((major, minor)) => digits(major) && digits(minor),
        None => digits(version) && (dotted || dated(rest).is_some()),
    };
    cloud.then_some(rest)
}

/// `-20250929`, `@20250929` or `-2025-09-29`.
fn dated(name: &str) -> Option<&str> {
    let (rest, tail) = name.rsplit_once(['-', '@'])?;
    if tail.len() == 8 && digits(tail) {
        return (is_day(tail.get(..4)?, tail.get(4..6)?, tail.get(6..)?)).then_some(rest);
    }
    let (rest, month) = rest.rsplit_once('-')?;
    let (rest, year) = rest.rsplit_once(['-', '@'])?;
    is_day(year, month, tail).then_some(rest)
}

fn is_day(year: &str, month: &str, day: &str) -> bool {
    let within = |text: &str, length: usize, low: u16, high: u16| {
        text.len() == length && digits(text) && text.parse().is_ok_and(|n: u16| (low..=high).contains(&n))
    };
    within(year, 4, 2000, 2099) && within(month, 2, 1, 12) && within(day, 2, 1, 31)
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A name whose version dots are dashes: `claude-sonnet-4.5` and `claude-sonnet-4-5` are one.
pub(super) fn dashed(name: &str) -> String {
    let bytes = name.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    name.char_indices().map(|(i, c)| if c == '.' && digit(i.checked_sub(1)) && digit(Some(i + 1)) { '-' } else { c }).collect()
}

/// Whether a name fits a pattern in which `*` stands for any text.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut pieces: Vec<_> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    for piece in pieces {
        // The first place leaves the most for what follows, so no other needs trying.
        let Some(i) = name.find(piece) else { return false };
        name = name.get(i + piece.len()..).unwrap_or_default();
    }
    name.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prefixes_that_are_known_go() {
        for (name, bare, maker) in [
            ("claude-sonnet-4-5", "claude-sonnet-4-5", None),
            ("anthropic/claude-x", "claude-x", Some("anthropic")),
            ("openrouter/anthropic/claude-x", "claude-x", Some("anthropic")),
            ("bedrock/us.anthropic.claude-x", "claude-x", Some("anthropic")),
            ("eu.anthropic.claude-x", "claude-x", Some("anthropic")),
            ("eu.claude-x", "claude-x", None),
            ("vertex_ai/claude-x", "claude-x", None),
            ("azure/gpt-4.1", "gpt-4.1", None),
            ("x-ai/grok-4.5", "grok-4.5", Some("xai")),
            ("gpt-4.1", "gpt-4.1", None),
            ("together_ai/moonshotai/kimi", "together_ai/moonshotai/kimi", None),
        ] {
            let parts = Parts::of(name);
            assert_eq!((parts.bare, parts.maker), (bare, maker), "{name}");
        }
    }

    #[test]
    fn spellings_of_one_model_have_one_plain_name() {
        for name in ["claude-sonnet-4-5", "claude-sonnet-4.5", "claude-sonnet-4-5-20250929", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"]
        {
            assert_eq!(plain_name(name), "claude-sonnet-4-5", "{name}");
        }
        assert_ne!(plain_name("claude-sonnet-4"), plain_name("claude-sonnet-4-5"));
    }

    #[test]
    fn suffixes_go_one_by_one() {
        let stages = |name: &'static str| Parts::of(name).stages().collect::<Vec<_>>();
        assert_eq!(stages("us.anthropic.claude-x-20250929-v1:0"), ["claude-x-20250929-v1:0", "claude-x-20250929", "claude-x"]);
        assert_eq!(stages("anthropic.claude-opus-4-6-v1"), ["claude-opus-4-6-v1", "claude-opus-4-6"]);
        assert_eq!(stages("claude-x@20250929"), ["claude-x@20250929", "claude-x"]);
        assert_eq!(
            stages("claude-x-20250929-v2[1m]"),
            ["claude-x-20250929-v2[1m]", "claude-x-20250929-v2", "claude-x-20250929", "claude-x"]
        );
        assert_eq!(stages("gpt-5-2025-08-07"), ["gpt-5-2025-08-07", "gpt-5"]);
        for kept in ["deepseek-coder-v2", "gpt-4-1106", "x-20251399", "m-19991231", "-20250101", "claude-x[]", "m:free", "gpt-5-foo"] {
            assert_eq!(stages(kept), [kept]);
        }
    }

    #[test]
    fn only_a_dot_between_digits_is_a_dash() {
        for (name, dashes) in
            [("claude-sonnet-4.5", "claude-sonnet-4-5"), ("gpt-4.1.2", "gpt-4-1-2"), ("a.b-1.x", "a.b-1.x"), (".5.", ".5.")]
        {
            assert_eq!(dashed(name), dashes);
        }
    }

    #[test]
    fn patterns() {
        for (pattern, name, fit) in [
            ("local", "local", true),
            ("local", "local-1", false),
            ("local-*", "local-llama", true),
            ("local-*", "my-local-llama", false),
            ("*/llama*", "ollama/llama3", true),
            ("*-free", "glm-4-free", true),
            ("a*a", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }

    proptest! {
        #[test]
        fn any_name_comes_apart(name in "\\PC{0,40}") {
            let parts = Parts::of(&name);
            prop_assert!(parts.stages().all(|s| !s.is_empty() || name.is_empty() || s == parts.bare));
            prop_assert!(fits("*", &name) && fits(&name.replace('*', ""), &name.replace('*', "")));
        }
    }
}
