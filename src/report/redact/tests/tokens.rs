//! Secrets that their own look tells, persons and their homes.

use super::{becomes, body, join, stays};

#[test]
fn tokens_are_told_by_their_prefix() {
    let tokens = [
        ("anthropic", join(&["sk-", "ant-api03-", &body(95)])),
        ("openai", join(&["sk-", "proj-", &body(60), "_-", &body(20)])),
        ("openai", join(&["sk-", "svcacct-", &body(40)])),
        ("openai", join(&["sk-", &body(48)])),
        ("openrouter", join(&["sk-", "or-v1-", &body(64)])),
        ("github", join(&["gh", "p_", &body(36)])),
        ("github", join(&["gh", "o_", &body(36)])),
        ("github", join(&["gh", "u_", &body(36)])),
        ("github", join(&["gh", "r_", &body(76)])),
        ("github", join(&["gh", "s_", &body(36)])),
        ("github", join(&["gh", "s_12345_ey", "J", &body(30), ".", &body(60), ".", &body(30)])),
        ("github", join(&["github", "_pat_", &body(22), "_", &body(59)])),
        ("gitlab", join(&["gl", "pat-", &body(20)])),
        ("gitlab", join(&["gl", "pat-", &body(27), ".01.", &body(9)])),
        ("gitlab", join(&["gl", "rt-", &body(20)])),
        ("gitlab", join(&["GR", "1348941", &body(20)])),
        ("slack", join(&["xo", "xb-123456789012-123456789012-", &body(24)])),
        ("slack", join(&["xo", "xe.xo", "xp-1-", &body(40)])),
        ("slack", join(&["xa", "pp-1-A0", &body(20)])),
        ("google-api-key", join(&["AI", "za", &body(35)])),
        ("google-oauth", join(&["ya", "29.a0", &body(40)])),
        ("google-oauth", join(&["GOC", "SPX-", &body(28)])),
        ("google-oauth", join(&["1/", "/0g", &body(40)])),
        ("stripe", join(&["sk", "_live_", &body(24)])),
        ("stripe", join(&["rk", "_test_", &body(24)])),
        ("stripe", join(&["wh", "sec_", &body(32)])),
        ("npm", join(&["np", "m_", &body(36)])),
        ("pypi", join(&["py", "pi-AgEIcHlwaS5vcmc", &body(60)])),
        ("huggingface", join(&["h", "f_", &body(34)])),
        ("aws-access-key", join(&["AK", "IA", &"Q3Z7".repeat(4)])),
        ("aws-access-key", join(&["AS", "IA", &"Q3Z7".repeat(4)])),
        ("token", join(&["gs", "k_", &body(52)])),
        ("token", join(&["dop", "_v1_", &"0a1b".repeat(16)])),
        ("token", join(&["S", "G.", &body(22), ".", &body(43)])),
        ("token", join(&["1234567890:", "AA", &body(33)])),
        ("jwt", join(&["ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxIn0.", &body(43)])),
    ];
    for (name, token) in &tokens {
        let marker = format!("[redacted:{name}]");
        becomes(token, &marker);
        becomes(&format!("pushed with {token}: denied"), &format!("pushed with {marker}: denied"));
        becomes(&format!("(\"{token}\")"), &format!("(\"{marker}\")"));
        // Text inside JSON, colours, and the query of a URL put a letter before the token.
        becomes(&format!(r"is\n{token}\nnot"), &format!(r"is\n{marker}\nnot"));
        becomes(&format!("\u{1b}[32m{token}\u{1b}[0m"), &format!("\u{1b}[32m{marker}\u{1b}[0m"));
        becomes(&format!("/x?q%3D{token}"), &format!("/x?q%3D{marker}"));
    }
}

#[test]
fn a_token_that_a_window_cut_off_is_still_one() {
    for (name, head) in [
        ("anthropic", join(&["sk-", "ant-api03-"])),
        ("openai", join(&["sk-", "proj-"])),
        ("openai", join(&["sk", "-"])),
        ("github", join(&["gh", "p_"])),
        ("github", join(&["gh", "s_"])),
        ("github", join(&["github", "_pat_"])),
        ("gitlab", join(&["gl", "pat-"])),
        ("slack", join(&["xo", "xb-"])),
        ("google-api-key", join(&["AI", "za"])),
        ("google-oauth", join(&["ya", "29."])),
        ("stripe", join(&["sk", "_live_"])),
        ("npm", join(&["np", "m_"])),
        ("pypi", join(&["py", "pi-Ag"])),
        ("huggingface", join(&["h", "f_"])),
        ("jwt", join(&["e", "yJ"])),
    ] {
        becomes(&format!("with {head}{}", body(12)), &format!("with [redacted:{name}]"));
    }
    becomes(&join(&["id ", "AK", "IA", "Q3Z7Q3Z7Q3"]), "id [redacted:aws-access-key]");
    becomes(&join(&["pass", "word=hun"]), "password=[redacted:password]");
    becomes(&join(&["\"pass", "word\": \"hunter2 is"]), "\"password\": \"[redacted:password]");
    becomes(&join(&["postgres:/", "/app:hunter2"]), "postgres://[redacted:url-credentials]");
}

#[test]
fn webhooks_keep_their_host() {
    becomes(
        &join(&["POST https://hooks.slack", ".com/services/T0", &body(8), "/B0", &body(8), "/", &body(24), " 404"]),
        "POST https://hooks.slack.com/services/[redacted:slack-webhook] 404",
    );
    becomes(&join(&["https://discord", ".com/api/webhooks/123456789/", &body(60)]), "https://discord.com/api/webhooks/[redacted:webhook]");
}

#[test]
fn private_keys_go_whole() {
    for kind in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let begin = join(&["-----BEGIN ", kind, "PRIVATE", " KEY-----"]);
        let end = join(&["-----END ", kind, "PRIVATE", " KEY-----"]);
        let marker = "[redacted:private-key]";
        becomes(&format!("a {begin}\nMIIE+/=\nQQ==\n{end} b"), &format!("a {marker} b"));
        becomes(&format!("\"{begin}\\nMIIE\\nQQ==\\n{end}\\n\""), &format!("\"{marker}\\n\""));
        becomes(&format!("   1→{begin}\n   2→MIIE\n   3→{end}\nok"), &format!("   1→{marker}\nok"));
        becomes(&format!("a {begin}\nMIIEpAIBAAKCAQEA"), &format!("a {marker}"));
        becomes(&format!("MIIEpAIBAAKCAQEA\nQQ==\n{end} b"), &format!("{marker} b"));
    }
    stays("-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----");
    stays("-----BEGIN PUBLIC KEY-----");
}

#[test]
fn headers_keep_their_name_and_scheme() {
    let auth = "Authorization";
    becomes(&format!("{auth}: Bearer {}", body(12)), "Authorization: Bearer [redacted:authorization]");
    becomes(&format!("{auth}: Basic dXNlcjpwYXNz -> 401"), "Authorization: Basic [redacted:authorization] -> 401");
    becomes(&format!("-H '{auth}: token {}' x", body(9)), "-H 'Authorization: token [redacted:authorization]' x");
    becomes(
        &format!(r#"{{\"{auth}\": \"Bearer {}\", \"Accept\""#, body(20)),
        r#"{\"Authorization\": \"Bearer [redacted:authorization]\", \"Accept\""#,
    );
    becomes(
        &format!("{auth}: Digest username=\"dev\", response=\"{}\"\nAccept: */*", body(16)),
        "Authorization: Digest [redacted:authorization]\nAccept: */*",
    );
    becomes(&format!("curl with Bearer {} failed", body(20)), "curl with Bearer [redacted:bearer] failed");
    becomes("sent Basic dXNlcjpwYXNzd29yZA== again", "sent Basic [redacted:basic] again");
    becomes("Cookie: sid=abc; theme=dark\nHost: x", "Cookie: [redacted:cookie]\nHost: x");
    becomes("Set-Cookie: sid=abc; Path=/", "Set-Cookie: [redacted:cookie]");
    becomes("curl --cookie \"sid=abc\" x", "curl --cookie \"[redacted:cookie]\" x");
    becomes(&join(&["X-Api", "-Key: abcdef"]), "X-Api-Key: [redacted:api-key]");
    becomes(&join(&["PRIVATE", "-TOKEN: abcdef"]), "PRIVATE-TOKEN: [redacted:token]");

    stays("Authorization: Bearer $TOKEN");
    stays("Authorization: Bearer ${API_TOKEN}");
    stays("Authorization: Bearer <token>");
    stays("authorization: required");
    stays("a Bearer token is missing");
    stays("Basic authentication is not supported");
    stays("accept the cookie: it is small");
}

#[test]
fn credentials_in_urls_leave_the_host() {
    becomes("postgres://app:hunter2@db:5432/x", "postgres://[redacted:url-credentials]@db:5432/x");
    becomes("redis://:hunter2@cache", "redis://[redacted:url-credentials]@cache");
    becomes("mysql://root:p@ss@db/x", "mysql://[redacted:url-credentials]@db/x");
    becomes("amqp://u:pa/ss@mq/x", "amqp://[redacted:url-credentials]@mq/x");
    becomes("http://dev:1234@host", "http://[redacted:url-credentials]@host");
    becomes(r#""http:\/\/dev:pass1@host\/x""#, r#""http:\/\/[redacted:url-credentials]@host\/x""#);
    becomes(&format!("https://{}@git.example.com/x", body(24)), "https://[redacted:url-credentials]@git.example.com/x");
    becomes(
        &format!("https://x-access-token:{}@github.com/x", join(&["gh", "s_", &body(36)])),
        "https://x-access-token:[redacted:github]@github.com/x",
    );
    becomes(
        &format!("https://acc.blob.core.windows.net/c?sv=2&sig={}%3D&se=1", body(20)),
        "https://acc.blob.core.windows.net/c?sv=2&sig=[redacted:signed-url]&se=1",
    );

    stays("ssh://git@github.com/x/y.git");
    stays("git@github.com:x/y.git");
    stays("http://localhost:8080/a/@scope/b");
    stays("http://127.0.0.1:3000");
    stays("docker://alpine:latest");
    stays("https://$USER:$DB_PASS@host/x");
}

#[test]
fn persons_and_their_homes_go() {
    for (text, expected) in [
        ("by <dev.x+y@mail.example.com>.", "by <[email]>."),
        (r"Author:\ndev@example.com\n", r"Author:\n[email]\n"),
        ("/home/dev/app/x.rs:3", "~/app/x.rs:3"),
        ("cwd=/home/dev", "cwd=~"),
        ("\"/home/dev\"", "\"~\""),
        ("/Users/Dev.X/app", "~/app"),
        ("file:///Users/dev/app", "file://~/app"),
        (r"\n/home/dev/app", r"\n~/app"),
        (r#""\/home\/dev\/app""#, r#""~\/app""#),
        ("-I/home/dev/include -L/Users/dev/lib", "-I~/include -L~/lib"),
        ("PATH=/home/dev/bin:/home/dev/.cargo/bin", "PATH=~/bin:~/.cargo/bin"),
        ("/home/jößg/x", "~/x"),
        ("/mnt/c/Users/dev/x and /c/Users/dev/x", "~/x and ~/x"),
        ("/var/home/dev/x", "~/x"),
        (r"C:\Users\dev\app\x.rs", r"~/app\x.rs"),
        (r#""C:\\Users\\dev\\app""#, r#""~/app""#),
        ("c:/Users/Dev X/app", "~/app"),
        (r"in C:\Users\dev", "in ~"),
        ("/root/.bashrc", "~/.bashrc"),
        ("cd /root; ls", "cd ~; ls"),
        ("cd /root", "cd ~"),
        ("~/.claude/projects/-Users-dev-app/x.jsonl", "~/.claude/projects/-~-app/x.jsonl"),
    ] {
        becomes(text, expected);
    }
}
