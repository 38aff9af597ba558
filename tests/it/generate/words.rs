//! The vocabulary that test names, files and messages are built from.

/// Module and file names.
pub(crate) const MODULES: &[&str] = &[
    "cart", "orders", "billing", "invoice", "parser", "lexer", "router", "session", "ledger", "search", "upload", "mailer", "catalog",
    "shipping", "coupon", "refund", "stock", "report", "export", "webhook", "profile", "theme", "locale", "queue",
];

/// Verbs of test names.
pub(crate) const VERBS: &[&str] = &[
    "adds", "drops", "keeps", "rounds", "merges", "splits", "sorts", "rejects", "accepts", "escapes", "parses", "renders", "counts",
    "caches", "locks", "trims", "expands", "folds", "signs", "charges",
];

/// Nouns of test names.
pub(crate) const NOUNS: &[&str] = &[
    "items",
    "totals",
    "taxes",
    "blanks",
    "quotes",
    "dates",
    "labels",
    "nested_lists",
    "headers",
    "cookies",
    "empty_input",
    "unicode",
    "currencies",
    "discounts",
    "pages",
    "filters",
    "columns",
    "footers",
    "slugs",
    "aliases",
    "weights",
    "zones",
    "drafts",
    "receipts",
];

/// Names of tests that sound like an outage and are none.
pub(crate) const OUTAGE_LIKE: &[&str] = &[
    "returns_503_when_closed",
    "retries_on_429",
    "handles_connection_reset",
    "reports_disk_full",
    "maps_timeout_to_504",
    "survives_econnrefused",
];

/// Parts of a word joined as `CamelCase`.
pub(super) fn camel(snake: &str) -> String {
    snake
        .split('_')
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
        })
        .collect()
}

/// Parts of a word joined as `camelCase`.
pub(super) fn lower_camel(snake: &str) -> String {
    let whole = camel(snake);
    let mut letters = whole.chars();
    letters.next().map(|first| first.to_ascii_lowercase().to_string() + letters.as_str()).unwrap_or_default()
}
