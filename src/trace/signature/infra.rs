//! Failures of the surroundings: network, provider, disk. They say nothing about the code, so an iteration that fails in
//! this way has no verdict. An assertion that *speaks* of such a failure is an ordinary red.

use super::text::{byte, cut, digits_end, has, is_word, tail};

/// What in the surroundings failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Infra {
    /// Refused, reset or timed-out connections, names that do not resolve.
    Network,
    /// Certificates and handshakes.
    Tls,
    /// A service answered 5xx or said that it is overloaded.
    Server,
    /// 429, a rate or usage limit, an exhausted quota.
    RateLimit,
    /// A package registry or repository could not be reached.
    Registry,
    /// No space or quota left.
    Disk,
    /// Killed for want of memory.
    Memory,
    /// Out of file handles, file watchers or processes.
    System,
    /// The container daemon does not answer.
    Docker,
}

impl Infra {
    /// A stable short name for outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Tls => "tls",
            Self::Server => "server",
            Self::RateLimit => "rate_limit",
            Self::Registry => "registry",
            Self::Disk => "disk",
            Self::Memory => "memory",
            Self::System => "system_limits",
            Self::Docker => "docker",
        }
    }
}

use Infra::{Disk, Docker, Memory, Network, Registry, Server, System, Tls};

/// Phrases in lower case, in the order of their first letter; each must begin at the start of a word.
const PHRASES: [(&[u8], Infra); 119] = [
    (b"at capacity", Server),
    (b"bad gateway", Server),
    (b"billing hard limit", Infra::RateLimit),
    (b"cannot allocate memory", Memory),
    (b"cannot connect to host", Network),
    (b"cannot connect to the docker daemon", Docker),
    (b"cannot fork", System),
    (b"cert_has_expired", Tls),
    (b"certificate has expired", Tls),
    (b"certificate is not trusted", Tls),
    (b"certificate verify failed", Tls),
    (b"certificate_verify_failed", Tls),
    (b"connect timeout", Network),
    (b"connection aborted", Network),
    (b"connection refused", Network),
    (b"connection reset", Network),
    (b"connection timed out", Network),
    (b"connection timeout", Network),
    (b"connectionerror", Network),
    (b"connectionrefusederror", Network),
    (b"connectionreseterror", Network),
    (b"connecttimeout", Network),
    (b"could not fetch url", Registry),
    (b"could not read from remote repository", Network),
    (b"could not resolve host", Network),
    (b"could not transfer artifact", Registry),
    (b"couldn't connect to server", Network),
    (b"couldn't resolve host", Network),
    (b"credit balance is too low", Infra::RateLimit),
    (b"depth_zero_self_signed", Tls),
    (b"disk full", Disk),
    (b"disk is full", Disk),
    (b"disk quota exceeded", Disk),
    (b"dns error", Network),
    (b"docker daemon is not running", Docker),
    (b"docker desktop is not running", Docker),
    (b"download of config.json failed", Registry),
    (b"eai_again", Network),
    (b"econnrefused", Network),
    (b"econnreset", Network),
    (b"edquot", Disk),
    (b"ehostunreach", Network),
    (b"emfile", System),
    (b"enetunreach", Network),
    (b"enomem", Memory),
    (b"enospc", Disk),
    (b"enotfound", Network),
    (b"err_connection_", Network),
    (b"err_internet_disconnected", Network),
    (b"err_name_not_resolved", Network),
    (b"err_network", Network),
    (b"err_pnpm_meta_fetch_fail", Registry),
    (b"err_socket_timeout", Network),
    (b"esockettimedout", Network),
    (b"etimedout", Network),
    (b"exceeded your current quota", Infra::RateLimit),
    (b"failed to connect to the docker api", Docker),
    (b"failed to connect to", Network),
    (b"failed to download from", Registry),
    (b"failed to fetch `http", Registry),
    (b"fetch failed", Network),
    (b"gateway time-out", Server),
    (b"gateway timeout", Server),
    (b"getaddrinfo", Network),
    (b"hit your limit", Infra::RateLimit),
    (b"hit your usage", Infra::RateLimit),
    (b"host is unreachable", Network),
    (b"i/o timeout", Network),
    (b"insufficient disk space", Disk),
    (b"insufficient_quota", Infra::RateLimit),
    (b"internal server error", Server),
    (b"is the docker daemon running", Docker),
    (b"max retries exceeded", Network),
    (b"name or service not known", Network),
    (b"network error", Network),
    (b"network is unreachable", Network),
    (b"network timeout", Network),
    (b"network unreachable", Network),
    (b"newconnectionerror", Network),
    (b"no route to host", Network),
    (b"no space left on device", Disk),
    (b"no such host", Network),
    (b"nodename nor servname", Network),
    (b"not enough free space", Disk),
    (b"not enough space on the disk", Disk),
    (b"oom-kill", Memory),
    (b"oomkilled", Memory),
    (b"operation timed out", Network),
    (b"out of credits", Infra::RateLimit),
    (b"out of memory: kill", Memory),
    (b"overloaded_error", Server),
    (b"quota exceeded", Infra::RateLimit),
    (b"read timed out", Network),
    (b"remote end closed connection", Network),
    (b"request timed out", Network),
    (b"resource has been exhausted", Infra::RateLimit),
    (b"resource temporarily unavailable", System),
    (b"resource_exhausted", Infra::RateLimit),
    (b"self signed certificate", Tls),
    (b"self-signed certificate", Tls),
    (b"service unavailable", Server),
    (b"signal: 9, sigkill", Memory),
    (b"socket hang up", Network),
    (b"spurious network error", Registry),
    (b"ssl certificate problem", Tls),
    (b"ssl routines", Tls),
    (b"sslerror", Tls),
    (b"stream disconnected", Network),
    (b"temporary failure in name resolution", Network),
    (b"throttlingexception", Infra::RateLimit),
    (b"tls handshake", Tls),
    (b"too many open files", System),
    (b"too many requests", Infra::RateLimit),
    (b"unable to access 'http", Network),
    (b"unable to get local issuer", Tls),
    (b"unable to update registry", Registry),
    (b"unable to verify the first certificate", Tls),
    (b"und_err_", Network),
    (b"x509: ", Tls),
];

/// Where in `PHRASES` each first letter begins; letter `c` ends where `c + 1` begins.
const INDEX: [u8; 27] = {
    let mut index = [PHRASES.len() as u8; 27];
    let mut letter = 0;
    let mut at = 0;
    while letter < 27 {
        while at < PHRASES.len() && PHRASES[at].0[0] < b'a' + letter as u8 {
            at += 1;
        }
        index[letter] = at as u8;
        letter += 1;
    }
    index
};

/// Marks of a package registry: a network fault beside one of them is the registry's.
const REGISTRIES: [&[u8]; 10] = [
    b"npm err", b"registry", b"npmjs", b"crates.io", b"pypi", b"pythonhosted", b"pip ", b"proxy.golang.org", b"repo.maven",
    b"rubygems",
];

/// Longest part of a line that is looked at; a failure of the surroundings says so early or at the very end.
const HEAD: usize = 768;
const TAIL: usize = 256;

/// Which failure of the surroundings a line reports; `None` also where it only speaks of one in an assertion.
pub(super) fn find(line: &[u8]) -> Option<Infra> {
    let mut buf = [0; HEAD + TAIL];
    let (head, end) = if line.len() <= buf.len() { (line.len(), &[][..]) } else { (HEAD, tail(line, line.len() - TAIL)) };
    let mut used = 0;
    for (to, from) in buf.iter_mut().zip(cut(line, 0, head).iter().chain(end)) {
        *to = from.to_ascii_lowercase();
        used += 1;
    }
    let low = cut(&buf, 0, used);
    let found = scan(low)?;
    if asserts(low) || (found == Server && is_local(low)) {
        return None;
    }
    if found == Disk && has(low, b"file watchers") {
        return Some(System);
    }
    let remote = matches!(found, Network | Tls | Server);
    Some(if remote && REGISTRIES.iter().any(|r| has(low, r)) { Registry } else { found })
}

fn scan(low: &[u8]) -> Option<Infra> {
    let mut i = 0;
    while i < low.len() {
        let b = byte(low, i);
        if !is_word(b) {
            i += 1;
            continue;
        }
        let rest = tail(low, i);
        if b.is_ascii_lowercase() {
            let letter = usize::from(b - b'a');
            let range = usize::from(byte(&INDEX, letter))..usize::from(byte(&INDEX, letter + 1));
            if let Some((_, kind)) = PHRASES.get(range).unwrap_or_default().iter().find(|(p, _)| rest.starts_with(p)) {
                return Some(*kind);
            }
            if let Some(kind) = special(low, i, rest) {
                return Some(kind);
            }
        } else if b.is_ascii_digit()
            && let Some(kind) = status(low, i)
        {
            return Some(kind);
        }
        i = super::text::word_end(low, i).max(i + 1);
    }
    None
}

/// Words that are too common to mean anything without company.
fn special(low: &[u8], at: usize, rest: &[u8]) -> Option<Infra> {
    let with = |words: &[&[u8]]| words.iter().any(|w| has(low, w));
    match byte(rest, 0) {
        b'o' if rest.starts_with(b"overloaded") => {
            // `call of overloaded 'f(int)'` is C++.
            let short = low.iter().filter(|b| **b == b' ').count() < 3;
            let code = with(&[b"function", b"operator", b"method", b"call of", b"overloaded '"]);
            (!code && (short || with(&[b"api", b"server", b"model", b"529", b"503", b"request", b"try again"]))).then_some(Server)
        }
        b'r' if [&b"rate limit"[..], b"rate-limit", b"rate_limit", b"ratelimit"].iter().any(|p| rest.starts_with(p)) => {
            with(&[b"exceed", b"reached", b"hit", b"error", b"limited", b"retry", b"429", b"too many", b"try again"]).then_some(Infra::RateLimit)
        }
        b'u' if rest.starts_with(b"usage limit") => Some(Infra::RateLimit),
        b'l' if rest.starts_with(b"limit reached") => {
            with(&[b"hour", b"session", b"weekly", b"usage", b"api", b"claude", b"token"]).then_some(Infra::RateLimit)
        }
        b'e' if rest.starts_with(b"exit code 137") || rest.starts_with(b"exit status 137") => Some(Memory),
        // A shell's report of a killed process: the whole line, or its last word.
        b'k' if rest.trim_ascii_end() == b"killed" && (at == 0 || digits_end(low, at.saturating_sub(2)) > at.saturating_sub(2)) => Some(Memory),
        _ => None,
    }
}

/// 429 and 5xx, where the words around say that it is a status.
fn status(low: &[u8], at: usize) -> Option<Infra> {
    let end = digits_end(low, at);
    let number = cut(low, at, end);
    let kind = match number {
        b"429" => Infra::RateLimit,
        [b'5', _, _] => Server,
        _ => return None,
    };
    let before = cut(low, at.saturating_sub(24), at);
    if is_word(byte(low, end)) || matches!(before.last(), Some(b'.' | b'-' | b'_' | b'$')) {
        return None;
    }
    let said = [&b"http"[..], b"status", b"api error", b"error code", b"returned error", b"server error", b"response code", b"code: "]
        .iter()
        .any(|w| has(before, w));
    // `http://127.0.0.1:500/` is an address.
    let address = matches!(before.last(), Some(b':')) && !before.ends_with(b"error:") && !before.ends_with(b"status:");
    let after = tail(low, end).trim_ascii_start();
    let reason = [&b"internal server"[..], b"bad gateway", b"service unav", b"gateway time", b"too many req", b"overloaded"]
        .iter()
        .any(|w| after.starts_with(w));
    ((said && !address) || reason).then_some(kind)
}

/// Does the line assert something? Then what it names is a value that was compared and not what happened to the check.
fn asserts(low: &[u8]) -> bool {
    const WORDS: [&[u8]; 22] = [
        b"expected", b"expect(", b"expects ", b"assert", b"tobe", b"toequal", b"tothrow", b"tohave", b"tomatch", b"tostrictequal",
        b"raises", b"raised", b"raise ", b"thrown", b"should be", b"should return", b"should throw", b"should equal", b"should have",
        b"should not", b"should raise", b"mismatch",
    ];
    const ANYWHERE: [&[u8]; 6] = [b" == ", b" != ", b" === ", b" !== ", b"but was", b"but got"];
    let begins_word = |w: &[u8]| {
        memchr::memmem::find_iter(low, w).any(|at| at.checked_sub(1).is_none_or(|p| !is_word(byte(low, p))))
    };
    ANYWHERE.iter().any(|w| has(low, w)) || WORDS.iter().any(|w| begins_word(w))
}

/// A 5xx from this very machine comes from the program under test.
fn is_local(low: &[u8]) -> bool {
    [&b"localhost"[..], b"127.0.0.1", b"0.0.0.0", b"[::1]"].iter().any(|h| has(low, h))
}
