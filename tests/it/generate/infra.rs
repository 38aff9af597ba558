//! Failures of the surroundings: no verdict on the code.

use super::dice::Dice;

/// Where an outage struck: it decides who writes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outage {
    /// The agent's own service: no check ran, the call itself failed.
    Api,
    /// The check's surroundings: it ran and could not work.
    Check,
}

const API: &[&str] = &[
    r#"API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
    r#"API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#,
    "API Error: 429 Too Many Requests (request «uuid»)",
    "API Error: 503 Service Unavailable",
    "API Error: Connection error. (ECONNRESET)",
    "request to https://api.example.com/v1/messages failed: 502 Bad Gateway",
    "fetch failed: getaddrinfo ENOTFOUND api.example.com",
];

const CHECK: &[&str] = &[
    "npm ERR! network request to https://registry.example.org/left-pad failed, reason: connect ETIMEDOUT 192.0.2.35:443",
    "OSError: [Errno 28] No space left on device: '/var/tmp/build'",
    "error: failed to fetch `https://index.example.org/config.json`: HTTP 502 Bad Gateway",
    "fatal: unable to access 'https://git.example.com/shop.git/': Could not resolve host: git.example.com",
    "go: example.com/shop@v1.4.0: Get \"https://proxy.example.org/shop\": dial tcp 192.0.2.9:443: i/o timeout",
    "docker: write /var/lib/docker/tmp/layer: no space left on device",
    "curl: (22) The requested URL returned error: 503 Service Unavailable",
];

/// One template of an outage.
pub(super) fn draw(outage: Outage, dice: &mut Dice) -> &'static str {
    match outage {
        Outage::Api => dice.pick(API),
        Outage::Check => dice.pick(CHECK),
    }
}
