//! Which listing prices a model that a log names, and by which rule.

use super::names::{Parts, dashed, family, fits};
use super::rate::FREE;
use super::{Model, Prices, Rate};
use std::fmt;

/// The prices that were found for a name.
#[derive(Debug, Clone, Copy)]
pub struct Match<'p> {
    /// The listing, or the pattern of the user's that declares the model free.
    pub model: &'p str,
    /// Its prices; keep this for all calls of the model.
    pub rate: &'p Rate,
    /// The most input tokens that a request may have.
    pub context_window: Option<u64>,
    /// Who sells it.
    pub provider: Option<&'p str>,
    /// How the name led here.
    pub rule: Rule,
}

/// How a name led to a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The list has this very name.
    Exact,
    /// The user's price file says what the name stands for.
    Alias,
    /// The user declared it free.
    Free,
    /// The name is another spelling of the listed one.
    Spelling {
        /// A provider's or cloud's prefix was stripped, or the listing has a provider's that the name lacks.
        prefix: Prefix,
        /// A version or date suffix was stripped.
        suffix: bool,
        /// A dot in the version was read as a dash, or the other way.
        dot: bool,
        /// Several providers list the model at different prices; its maker's own counts.
        makers_own: bool,
    },
}

/// What a lookup did about prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// Nothing.
    Kept,
    /// The name had one more than the listing.
    Stripped,
    /// The listing has one that the name lacks.
    Added,
}

impl Rule {
    /// Whether the name said more than the listing does: a prefix, a version or a date.
    pub(super) fn stripped(self) -> bool {
        matches!(self, Self::Spelling { prefix: Prefix::Stripped, .. } | Self::Spelling { suffix: true, .. })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Spelling { prefix, suffix, dot, makers_own } = self else {
            return f.write_str(match self {
                Self::Alias => "user alias",
                Self::Free => "declared free",
                Self::Exact | Self::Spelling { .. } => "exact",
            });
        };
        let steps = [
            (*prefix == Prefix::Stripped, "provider prefix stripped"),
            (*prefix == Prefix::Added, "provider prefix added"),
            (*suffix, "version or date suffix stripped"),
            (*dot, "dot equals dash"),
            (*makers_own, "its maker's own listing of several"),
        ];
        let steps: Vec<_> = steps.into_iter().filter(|(done, _)| *done).map(|(_, words)| words).collect();
        f.write_str(&steps.join(", "))
    }
}

/// Why a name has no price.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Miss {
    /// No list has it. A model that is merely alike is never taken for it.
    #[error("no list has a price for `{0}`; give one or an alias with --prices")]
    NotListed(String),
    /// Several providers sell it at different prices.
    #[error("`{name}` has different prices at {}; name one of them", listings.join(", "))]
    Ambiguous {
        /// The name.
        name: String,
        /// The listings.
        listings: Vec<String>,
    },
}

impl Prices {
    /// The prices of a model as a log names it: by exact name, user alias, or the name without its prefixes and suffixes.
    /// Costs a few hashes; look a name up once, not once a call.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find(&self, name: &str) -> Result<Match<'_>, Miss> {
        let found = match (self.by_name.get(name), self.aliases.get(name)) {
            (Some(&i), _) => Ok((i, Rule::Exact)),
            (None, Some(&i)) => Ok((i, Rule::Alias)),
            (None, None) => self.listed(name),
        };
        let found = found.and_then(|(i, rule)| match self.models.get(i) {
            Some(model) => Ok((model, rule)),
            None => Err(Miss::NotListed(name.to_owned())),
        });
        let listing = found.as_ref().ok().map(|(model, _)| *model);
        if let Some(pattern) = self.free_pattern(name, listing) {
            return Ok(Match {
                model: pattern,
                rate: &FREE,
                context_window: listing.and_then(|m| m.context_window),
                provider: listing.and_then(|m| m.provider.as_deref()),
                rule: Rule::Free,
            });
        }
        found.map(|(model, rule)| Match {
            model: &model.name,
            rate: &model.rate,
            context_window: model.context_window,
            provider: model.provider.as_deref(),
            rule,
        })
    }

    fn free_pattern(&self, name: &str, listing: Option<&Model>) -> Option<&str> {
        let bare = Parts::of(name).bare;
        let fit = |p: &&str| fits(p, name) || fits(p, bare) || listing.is_some_and(|m| fits(p, &m.name));
        self.free.iter().map(|p| &**p).find(fit)
    }

    /// The listing that a name is a spelling of; the least is stripped that leads to one.
    pub(super) fn listed(&self, name: &str) -> Result<(usize, Rule), Miss> {
        if let Some(&i) = self.by_name.get(name) {
            return Ok((i, Rule::Exact));
        }
        let parts = Parts::of(name);
        for bare in parts.stages() {
            let candidates = self.candidates(bare, parts.maker);
            let Some((i, makers_own)) = self.choose(bare, &candidates) else {
                match candidates.as_slice() {
                    [] => continue,
                    _ => {
                        return Err(Miss::Ambiguous {
                            name: name.to_owned(),
                            listings: candidates.iter().map(|(_, m)| m.name.to_string()).collect(),
                        });
                    }
                }
            };
            let listing = candidates.iter().find(|(j, _)| *j == i).map(|(_, m)| Parts::of(&m.name));
            let prefix = match (parts.prefixed(), listing.is_some_and(|l| l.prefixed())) {
                (true, _) => Prefix::Stripped,
                (false, true) => Prefix::Added,
                (false, false) => Prefix::Kept,
            };
            let dot = listing.is_some_and(|l| l.bare != bare);
            return Ok((i, Rule::Spelling { prefix, suffix: bare != parts.bare, dot, makers_own }));
        }
        Err(Miss::NotListed(name.to_owned()))
    }

    /// Listings of a bare name. Where the name had a maker's prefix, another provider's listing is another offer.
    fn candidates(&self, bare: &str, maker: Option<&str>) -> Vec<(usize, &Model)> {
        let listed = self.by_bare.get(dashed(bare).as_str()).into_iter().flatten();
        let sold = |m: &Model| m.provider.is_none() || maker.is_none() || m.provider.as_deref() == maker;
        listed.filter_map(|&i| self.models.get(i).map(|m| (i, m))).filter(|(_, m)| sold(m)).collect()
    }

    /// One of several listings of a bare name: the one without a prefix, else any if all agree, else the maker's own
    /// (then `true`).
    fn choose(&self, bare: &str, candidates: &[(usize, &Model)]) -> Option<(usize, bool)> {
        let plain: Vec<_> = candidates.iter().filter(|(_, m)| !Parts::of(&m.name).prefixed()).copied().collect();
        let from = if plain.is_empty() { candidates } else { &plain };
        let (first, rate) = from.first().map(|(i, m)| (*i, &m.rate))?;
        if from.iter().all(|(_, m)| m.rate == *rate) {
            let same_spelling = from.iter().find(|(_, m)| Parts::of(&m.name).bare == bare);
            return Some((same_spelling.map_or(first, |(i, _)| *i), false));
        }
        let owner = family(bare)?;
        let mut own = from.iter().filter(|(_, m)| m.provider.as_deref() == Some(owner));
        match (own.next(), own.next()) {
            (Some((i, _)), None) => Some((*i, true)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::prices::Class;

    /// The listing and the rule in words, or why there is none.
    fn found(prices: &Prices, name: &str) -> String {
        prices.find(name).map_or_else(|miss| format!("{miss:?}"), |m| format!("{} ({})", m.model, m.rule))
    }

    #[test]
    fn every_rule() {
        for (name, listing) in [
            ("claude-sonnet-4-5", "claude-sonnet-4-5 (exact)"),
            ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929 (exact)"),
            ("anthropic/claude-opus-4-8", "claude-opus-4-8 (provider prefix stripped)"),
            ("openrouter/anthropic/claude-sonnet-4.6", "claude-sonnet-4-6 (provider prefix stripped, dot equals dash)"),
            (
                "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
                "claude-sonnet-4-5-20250929 (provider prefix stripped, version or date suffix stripped)",
            ),
            ("bedrock/eu.anthropic.claude-opus-4-6-v1", "claude-opus-4-6 (provider prefix stripped, version or date suffix stripped)"),
            ("vertex_ai/claude-haiku-5-5@20261001", "claude-haiku-5-5 (provider prefix stripped, version or date suffix stripped)"),
            ("claude-opus-4-6[1m]", "claude-opus-4-6 (version or date suffix stripped)"),
            ("claude-opus-4.8-20260601", "claude-opus-4-8 (version or date suffix stripped, dot equals dash)"),
            ("claude-sonnet-4.5", "claude-sonnet-4-5 (dot equals dash)"),
            ("azure/gpt-4o", "gpt-4o (provider prefix stripped)"),
            ("openai/gpt-5.2-codex", "gpt-5.2-codex (provider prefix stripped)"),
            ("gpt-5-2-codex", "gpt-5.2-codex (dot equals dash)"),
            ("gemini-2.5-pro", "gemini/gemini-2.5-pro (provider prefix added)"),
            ("google/gemini-2.5-pro", "gemini/gemini-2.5-pro (provider prefix stripped)"),
            ("openrouter/x-ai/grok-4.5", "xai/grok-4.5 (provider prefix stripped)"),
            ("kimi-k2.5", "moonshot/kimi-k2.5 (provider prefix added)"),
            ("deepseek-v4-flash", "deepseek-v4-flash (exact)"),
            ("glm-5.2", "zai/glm-5.2 (provider prefix added, its maker's own listing of several)"),
            ("openrouter/z-ai/glm-5.2", "zai/glm-5.2 (provider prefix stripped)"),
            ("dashscope/glm-5.2", "dashscope/glm-5.2 (exact)"),
        ] {
            assert_eq!(found(Prices::embedded(), name), listing, "{name}");
        }
    }

    #[test]
    fn a_likeness_is_no_match() {
        for name in [
            "claude-sonnet-9",
            "claude-sonnet-4",
            "claude-sonnet",
            "claude-sonnet-4-5-fast",
            "sonnet",
            "gpt-5-foo",
            "gpt-5-codex-foo",
            "gpt-5.10",
            "deepseek/deepseek-coder-v2",
            "gpt-4-1106",
            "claude-sonnet-4-5:free",
            "together_ai/moonshotai/kimi-k2.5",
            "dashscope/kimi-k3",
            "openai/claude-sonnet-4-5",
            "<synthetic>",
            "",
            "/",
            "anthropic/",
            "us.anthropic.",
        ] {
            assert_eq!(Prices::embedded().find(name).map(|m| m.model).unwrap_err(), Miss::NotListed(name.into()), "{name}");
        }
    }

    fn own(json: &str) -> Prices {
        Prices::default().overlay("p.json", &format!(r#"{{"schema":"loopmortem/prices",{json}}}"#)).unwrap()
    }

    #[test]
    fn providers_that_disagree_are_not_chosen_between() {
        let prices = own(r#""models": {"zai/nova-1": {"provider":"zai","input":1}, "xai/nova-1": {"provider":"xai","input":2},
                              "zai/nova-2": {"provider":"zai","input":1}, "xai/nova.2": {"provider":"xai","input":1}}"#);
        let miss = prices.find("nova-1").map(|m| m.model).unwrap_err();
        assert_eq!(miss.to_string(), "`nova-1` has different prices at zai/nova-1, xai/nova-1; name one of them");
        assert_eq!(found(&prices, "x-ai/nova-1"), "xai/nova-1 (provider prefix stripped)");
        assert_eq!(found(&prices, "nova-2"), "zai/nova-2 (provider prefix added)");
    }

    #[test]
    fn aliases_and_free_models_are_the_users_word() {
        let prices =
            own(r#""models": {"house-70b": {"input":1,"context_window":64000}, "house-7b": {"input":0,"output":0}, "other": {"input":3}},
               "aliases": {"fast": "house-70b", "vertex_ai/other": "house-70b", "house-7b": "other"},
               "free": ["local-*", "house-7b"]"#);
        assert_eq!(found(&prices, "fast"), "house-70b (user alias)");
        // An alias stands before the stripping of prefixes, but not before an exact name.
        assert_eq!(found(&prices, "vertex_ai/other"), "house-70b (user alias)");
        assert_eq!(found(&prices, "other"), "other (exact)");
        for (name, pattern) in
            [("local-llama", "local-*"), ("openai/local-llama", "local-*"), ("house-7b", "house-7b"), ("house-7b-20260101", "house-7b")]
        {
            let free = prices.find(name).unwrap();
            assert_eq!(
                (free.model, free.rule, free.rate.base().get(Class::Output).unwrap().pico()),
                (pattern, Rule::Free, Some(0)),
                "{name}"
            );
        }
        assert!(prices.find("my-local-llama").is_err());
        assert_eq!(prices.find("fast").unwrap().context_window, Some(64_000));
    }
}
