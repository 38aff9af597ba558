use super::plain;
use crate::trace::signature::Infra::{self, Access, Disk, Docker, Killed, Network, RateLimit, Registry, Server, System, Tls};

#[test]
fn the_surroundings_failed() {
    let cases: &[(&str, Infra)] = &[
        ("Error: connect ECONNREFUSED 127.0.0.1:5432", Network),
        ("curl: (7) Failed to connect to example.com port 443 after 19411 ms: Couldn't connect to server", Network),
        ("curl: (6) Could not resolve host: example.com", Network),
        ("ssh: connect to host example.com port 22: Connection timed out", Network),
        ("Error: getaddrinfo EAI_AGAIN example.com", Network),
        ("psql: error: connection to server failed: Connection refused", Network),
        ("dial tcp: lookup example.com: no such host", Network),
        ("TypeError: fetch failed", Network),
        ("FAIL connection refused", Network),
        ("FAIL: ECONNREFUSED", Network),
        ("requests.exceptions.ConnectionError: HTTPSConnectionPool: Max retries exceeded with url: /x", Network),
        ("API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}", Server),
        ("API Error: Overloaded", Server),
        ("HTTP/1.1 503 Service Unavailable", Server),
        ("request failed with status code 502", Server),
        ("curl: (22) The requested URL returned error: 503", Server),
        ("500 Internal Server Error", Server),
        ("API Error: 429 Too Many Requests", RateLimit),
        ("error: rate limit exceeded, try again in 20s", RateLimit),
        ("Claude AI usage limit reached|1764403200", RateLimit),
        ("5-hour limit reached, resets 3am", RateLimit),
        ("openai: insufficient_quota", RateLimit),
        ("Error: Quota exceeded for this project", RateLimit),
        ("tar: write error: No space left on device", Disk),
        ("Error: ENOSPC: no space left, write", Disk),
        ("cp: error writing 'x': Disk quota exceeded", Disk),
        ("Error: ENOSPC: System limit for number of file watchers reached", System),
        ("OSError: [Errno 24] Too many open files", System),
        ("bash: fork: Resource temporarily unavailable", System),
        ("ssl.SSLCertVerificationError: certificate verify failed: certificate has expired", Tls),
        ("x509: certificate signed by unknown authority", Tls),
        ("Killed", Killed),
        ("bash: line 1:  4711 Killed", Killed),
        ("/bin/bash: line 1:  4711 Killed                  python3 train.py", Killed),
        ("process exited with exit code 137", Killed),
        ("fork: Cannot allocate memory", System),
        ("npm ERR! code ECONNREFUSED", Registry),
        ("npm error network request to https://registry.example.com/x failed, reason: socket hang up", Registry),
        ("warning: spurious network error (3 tries remaining)", Registry),
        ("error: failed to download from `https://static.crates.io/x`", Registry),
        ("API Error: 503 Service Unavailable", Server),
        ("FAIL: login: connection refused", Network),
        ("FAIL: 429 Too Many Requests", RateLimit),
        ("FAIL: request failed with status code 502", Server),
        ("FAIL: Could not resolve host example.com", Network),
        ("FAIL: connection timed out after 30 s", Network),
        ("panic: dial tcp 10.0.0.7:5432: connect: connection refused", Network),
        ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", Docker),
    ];
    for (line, want) in cases {
        let r = plain(line);
        assert_eq!(r.infrastructure, Some(*want), "{line}");
        assert_eq!(r.verdict, None, "{line}");
        assert_eq!(r.failures.len(), 1, "evidence is kept: {line}");
        // The same among other lines.
        let r = plain(&format!("+ ./check.sh\n{line}\n"));
        assert_eq!(r.infrastructure, Some(*want), "below a command: {line}");
    }
}

#[test]
fn an_assertion_that_speaks_of_it_is_red() {
    for line in [
        "FAILED tests/test_x.py::test_returns_503 - assert 503 == 200",
        "FAILED tests/test_x.py::test_net - ConnectionRefusedError: [Errno 111] Connection refused",
        "FAIL test_api: connection refused",
        "FAIL test_api ECONNREFUSED 127.0.0.1:80",
        "● api › retries on ECONNREFUSED",
        "✕ returns 503 Service Unavailable (5 ms)",
        "expected ECONNREFUSED to be thrown",
        "AssertionError: expected 503 Service Unavailable to equal 200",
        "AssertionError: HTTP 503 != HTTP 200",
        "Expected status 200 but got HTTP 503",
        "assert response.status == 429, 'rate limit exceeded'",
        "Error: rate limiter is not defined",
        "error[E0425]: cannot find function `connection_refused`",
        "src/net.rs:3:1: error: no field `rate_limit`",
        "a.cpp:3:5: error: call of overloaded 'f(int)' is ambiguous",
        "error: call of overloaded function is ambiguous",
        "FAIL login › loads: timed out after 5000 ms",
        "panic: test timed out after 10m0s",
        "Error: Test timed out in 5000ms.",
        "--- FAIL: TestRateLimit429 (0.00s)",
        "smoke: GET http://localhost:3000/ returned HTTP 500 Internal Server Error",
        "TimeoutError: page.goto: Timeout 30000ms exceeded",
        "FATAL ERROR: Reached heap limit: JavaScript heap out of memory",
        "MemoryError",
        "exit status 1, 500 lines",
        "Error: cannot find module './503'",
        "127.0.0.1:500 is not a number",
        "test killed the mutant",
        "Error: Cannot find module 'ssl'",
    ] {
        assert_eq!(plain(line).infrastructure, None, "{line}");
        assert_eq!(plain(line).failures.len(), 1, "{line}");
    }
}

#[test]
fn a_named_failure_wins_over_the_log_around_it() {
    let log = "WARN connect ECONNREFUSED 127.0.0.1:5432, retrying\nHTTP 503 Service Unavailable\n";
    for red in [
        "FAILED tests/a.py::test_x - assert 1 == 2\n",
        "test a::b ... FAILED\n",
        "error[E0308]: mismatched types\n --> src/a.rs:1:1\n",
        "src/a.ts(1,5): error TS2345: bad\n",
        "3 failed, 9 passed in 1.2s\n",
        "Tests: 1 failed, 2 passed, 3 total\n",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nAssertionError: totals differ\n",
        "E   assert 1 == 2\n",
        "Error: Cannot find module './foo'\n",
    ] {
        let r = plain(&format!("{log}{red}"));
        assert_eq!(r.infrastructure, None, "{red}");
    }
    for red in ["FAILED tests/a.py::test_x - x\n", "3 failed, 9 passed in 1.2s\n"] {
        assert_eq!(plain(&format!("{log}{red}")).verdict, Some(false), "{red}");
    }
    // Green stays green.
    let r = plain(&format!("{log}9 passed in 1.2s\n"));
    assert_eq!((r.infrastructure, r.verdict), (None, Some(true)));
}

#[test]
fn installers_and_builders() {
    let pip = "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError': Failed to establish a new connection: [Errno -3] Temporary failure in name resolution\nERROR: Could not find a version that satisfies the requirement x (from versions: none)\nERROR: No matching distribution found for x\n";
    assert!(plain(pip).infrastructure.is_some());
    // Without a sign of the network it is a wrong name.
    let wrong = "ERROR: Could not find a version that satisfies the requirement x (from versions: 1.0)\nERROR: No matching distribution found for x\n";
    assert_eq!(plain(wrong).infrastructure, None);
    let npm = "npm ERR! code ETIMEDOUT\nnpm ERR! syscall connect\nnpm ERR! network This is a problem related to network connectivity.\nnpm ERR! A complete log of this run can be found in: /home/a/.npm/_logs/x.log\n";
    assert_eq!(plain(npm).infrastructure, Some(Registry));
    let cargo = "    Updating crates.io index\nwarning: spurious network error (1 tries remaining): [6] Couldn't resolve host name\nerror: failed to get `serde` as a dependency of package `app v0.1.0 (/w/p)`\n\nCaused by:\n  failed to query replaced source registry `crates-io`\n";
    assert_eq!(plain(cargo).infrastructure, Some(Registry));
    let disk = "error: linking with `cc` failed: exit status: 1\n  = note: /usr/bin/ld: final link failed: No space left on device\n\nerror: could not compile `app` (bin \"app\") due to 1 previous error\n";
    assert_eq!(plain(disk).infrastructure, Some(Disk));
    let go = "go: example.com/x@v1.0.0: Get \"https://proxy.golang.org/x\": dial tcp: lookup proxy.golang.org: no such host\nFAIL\texample.com/app [setup failed]\nFAIL\n";
    assert_eq!(plain(go).infrastructure, Some(Registry));
    let maven = "[ERROR] Failed to execute goal on project app: Could not resolve dependencies: Could not transfer artifact x from central: Connection refused\n[INFO] BUILD FAILURE\n";
    assert!(plain(maven).infrastructure.is_some());
    let git =
        "Cloning into 'x'...\nkex_exchange_identification: read: Connection reset by peer\nfatal: Could not read from remote repository.\n";
    assert_eq!(plain(git).infrastructure, Some(Network));
    let owner = "fatal: detected dubious ownership in repository at '/srv/x'\nfatal: Could not read from remote repository.\n";
    assert_eq!(plain(owner).infrastructure, None);
    let chain = "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nConnectionRefusedError: [Errno 111] Connection refused\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"b.py\", line 1, in g\nrequests.exceptions.ConnectionError: Max retries exceeded\n";
    assert_eq!(plain(chain).infrastructure, Some(Network));
}

#[test]
fn far_from_the_end_it_no_longer_counts() {
    let mut text = String::from("connect ECONNREFUSED 10.0.0.7:80\n");
    text.push_str(&"working\n".repeat(200));
    assert_eq!(plain(&text).infrastructure, None);
}

#[test]
fn names_are_stable() {
    let all = [Network, Tls, Server, RateLimit, Registry, Disk, Killed, System, Docker, Access];
    let names: Vec<&str> = all.iter().map(|i| i.name()).collect();
    assert_eq!(names, ["network", "tls", "server", "rate_limit", "registry", "disk", "killed", "system_limits", "docker", "access"]);
}

#[test]
fn without_access_nothing_can_be_judged() {
    let cases = [
        "Claude requested permissions to use Bash, but you have not granted it yet",
        "Claude requested permissions to write to /srv/app/a.py, but you haven't granted it yet.",
        "This command requires approval",
        "Permission to use Bash has been denied.",
        "Invalid API key · Please run /login",
        "API Error: 401 {\"type\":\"error\",\"error\":{\"type\":\"authentication_error\"}}",
        "Error: Incorrect API key provided: x. You can find yours in the console.",
        "Error: The OPENAI_API_KEY environment variable is missing or empty",
        "ANTHROPIC_API_KEY is not set",
        "OAuth token has expired. Please obtain a new token or refresh your existing token.",
        "Credit balance is too low",
        "bash: claude: command not found",
        "codex: command not found",
        "./loop.sh: line 12: claude: command not found",
        "bash: pytest: command not found",
        "/bin/bash: line 1: pytest: command not found",
        "zsh: command not found: pytest",
        "sh: 1: jest: not found",
        "'pytest' is not recognized as an internal or external command,",
    ];
    for line in cases {
        for text in [line.to_owned(), format!("+ ./check.sh\n{line}\n"), format!("{line}\nmake: *** [Makefile:3: test] Error 127\n")] {
            let r = plain(&text);
            assert_eq!((r.infrastructure, r.verdict), (Some(Access), None), "{text}");
        }
    }
    // The work's own faults.
    for line in [
        "FAILED tests/test_cli.py::test_missing - bash: foo: command not found",
        "AssertionError: bash: foo: command not found",
        "./build.sh: line 3: mkdri: command not found",
        "Error: page not found",
        "Error: invalid API key",
        "FAIL: tells the user that the OPENAI_API_KEY is missing",
        "Error: API returned 401",
        "cp: cannot create regular file 'x': Permission denied",
    ] {
        assert_eq!(plain(line).infrastructure, None, "{line}");
        assert_eq!(plain(line).failures.len(), 1, "{line}");
    }
}

#[test]
fn titles_and_panics_that_speak_of_outages_are_red() {
    let lines = [
        "FAIL: returns 429 Too Many Requests when over quota",
        "FAIL: request timed out handler is called twice",
        "FAIL: shows a banner on network error",
        "FAIL: client reconnects after connection reset",
        "FAIL retries when ECONNREFUSED",
        "FAILED: connection refused is reported once",
        "not ok 3 - returns 503 Service Unavailable",
        "not ok 3 - handles connection reset",
        "thread 'handles_reset' panicked at src/net.rs:10:5: connection reset must be retried",
        "thread 'main' panicked at src/net.rs:10:5: connection reset must be retried",
        "thread 'main' panicked at 'connection reset must be retried', src/net.rs:10:5",
        "panic: connection reset must be retried",
    ];
    for line in lines {
        for text in [line.to_owned(), format!("running\n{line}\n")] {
            let r = plain(&text);
            assert_eq!(r.infrastructure, None, "{text}");
            assert_eq!(r.failures.len(), 1, "{text}");
            // Only the empty set has this hash.
            assert_ne!(r.coarse(), plain("").coarse(), "{text}");
        }
    }
    // What a call answered, inside a panic.
    let os = "thread 'main' panicked at src/main.rs:4:9: called `Result::unwrap()` on an `Err` value: Os { code: 111, kind: ConnectionRefused, message: \"Connection refused\" }";
    assert_eq!(plain(os).infrastructure, Some(Network));
}
