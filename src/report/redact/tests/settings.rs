//! Secrets that the name before them tells.

use super::super::UNSETTLED;
use super::{becomes, body, join, stays};

#[test]
fn settings_keep_their_name() {
    let pass = join(&["pass", "word"]);
    let env = join(&["PASS", "WORD"]);
    let marker = "[redacted:password]";
    for (text, expected) in [
        (format!("{pass}=hunter2"), format!("{pass}={marker}")),
        (format!("{pass}: hunter2"), format!("{pass}: {marker}")),
        (format!("DB_{env}=hunter2 make"), format!("DB_{env}={marker} make")),
        (format!("export PG{env}='a b'; psql"), format!("export PG{env}='{marker}'; psql")),
        (format!("{{\"{pass}\":\"a\\\"b\",\"user\":\"x\"}}"), format!("{{\"{pass}\":\"{marker}\",\"user\":\"x\"}}")),
        (format!(r#"{{\"{pass}\": \"a b\", \"u\": 1}}"#), format!(r#"{{\"{pass}\": \"{marker}\", \"u\": 1}}"#)),
        (format!("{{'{pass}': 'a b', 'u': 1}}"), format!("{{'{pass}': '{marker}', 'u': 1}}")),
        (format!("config[\"{pass}\"] = \"abc\""), format!("config[\"{pass}\"] = \"{marker}\"")),
        (format!(":{pass} => \"abc\","), format!(":{pass} => \"{marker}\",")),
        (format!("const {pass}: &str = \"abc\";"), format!("const {pass}: &str = \"{marker}\";")),
        (format!("{pass}: str = 'abc'"), format!("{pass}: str = '{marker}'")),
        (format!("var {pass} string = \"abc\""), format!("var {pass} string = \"{marker}\"")),
        (format!("Server=db;{env}=abc;Encrypt=True"), format!("Server=db;{env}={marker};Encrypt=True")),
        (format!("/login?{pass}=abc&user=dev"), format!("/login?{pass}={marker}&user=dev")),
        (format!("user{pass}2=abc"), format!("user{pass}2={marker}")),
        (format!("{env}_PROD=abc"), format!("{env}_PROD={marker}")),
        (format!("{pass}: ${{X:-hunter2}}"), format!("{pass}: {marker}}}")),
        (format!("A={env}=abc\\nB=1"), format!("A={env}={marker}\\nB=1")),
        (format!("<{pass}>hunter2</{pass}>"), format!("<{pass}>[redacted:credential]</{pass}>")),
        (join(&["MYSQL_", "PASS=hunter2"]), format!("MYSQL_PASS={marker}")),
        (join(&["Uid=sa;P", "wd=hunter2;"]), format!("Uid=sa;Pwd={marker};")),
    ] {
        becomes(&text, &expected);
    }
}

#[test]
fn keys_tokens_and_secrets_are_settings_too() {
    for (text, expected) in [
        (join(&["api", "_key: \"abc def\", api", "_key: \"abcdef\""]), "api_key: \"abc def\", api_key: \"[redacted:api-key]\""),
        (join(&["OPENAI", "_API_KEY=abcdef"]), "OPENAI_API_KEY=[redacted:api-key]"),
        (join(&["{api", "Key: 'abcdef'}"]), "{apiKey: '[redacted:api-key]'}"),
        (join(&["STRIPE_", "KEY=", &body(20)]), "STRIPE_KEY=[redacted:api-key]"),
        (join(&["SEC", "RET_TOKEN=abcdef"]), "SECRET_TOKEN=[redacted:token]"),
        (join(&["GITHUB_", "TOKEN=abcdef"]), "GITHUB_TOKEN=[redacted:token]"),
        (join(&["\"access", "_token\":\"abcdef\""]), "\"access_token\":\"[redacted:token]\""),
        (join(&["//registry.example.com/:_auth", "Token=abcdef"]), "//registry.example.com/:_authToken=[redacted:token]"),
        (join(&["to", "ken: ", &body(16)]), "token: [redacted:token]"),
        (join(&["client_sec", "ret = \"abcdef\""]), "client_secret = \"[redacted:secret]\""),
        (join(&["aws_secret", "_access_key = ", &body(40)]), "aws_secret_access_key = [redacted:aws-secret-key]"),
        (join(&["\"Secret", "AccessKey\": \"", &body(40), "\""]), "\"SecretAccessKey\": \"[redacted:aws-secret-key]\""),
        (join(&["AWS_SESSION", "_TOKEN=", &body(80), "=="]), "AWS_SESSION_TOKEN=[redacted:aws-secret-key]"),
        (
            join(&["AccountName=a;Account", "Key=", &body(40), "==;EndpointSuffix=x"]),
            "AccountName=a;AccountKey=[redacted:connection-key];EndpointSuffix=x",
        ),
        (join(&["--api", "-key abcdef --model x"]), "--api-key [redacted:credential] --model x"),
        (join(&["--db-pass", "word hunter2"]), "--db-password [redacted:credential]"),
        (join(&["--pass", "word=hunter2"]), "--password=[redacted:password]"),
        (join(&["[\"--to", "ken\", \"abcdef\"]"]), "[\"--token\", \"[redacted:credential]\"]"),
        (join(&["curl -s -u dev:hun", "ter2 https://x"]), "curl -s -u [redacted:credential] https://x"),
        (join(&["sshpass -p hun", "ter2 ssh x"]), "sshpass -p [redacted:credential] ssh x"),
        (join(&["ENV DB_PASS", "WORD hunter2"]), "ENV DB_PASSWORD [redacted:credential]"),
        (join(&["{user: 'x', pa", "ss: 'y1z'}"]), "{user: 'x', pass: '[redacted:password]'}"),
        (join(&["the api key ", "is ", &body(12)]), "the api key is [redacted:credential]"),
        (join(&["machine x login dev pass", "word hunter2"]), "machine x login dev password [redacted:credential]"),
    ] {
        becomes(&text, expected);
    }
}

#[test]
fn several_secrets_in_one_text() {
    let token = join(&["gh", "p_", &body(36)]);
    let pass = join(&["pass", "word"]);
    becomes(
        &format!("/home/dev/x: {token} {token} {pass}=a1b & {pass}=c2d"),
        "~/x: [redacted:github] [redacted:github] password=[redacted:password] & password=[redacted:password]",
    );
    // The specific name wins, and the setting's name stays.
    becomes(&format!("GITHUB_TOKEN={token}"), "GITHUB_TOKEN=[redacted:github]");
    becomes(&format!("{{\"{pass}\":\"{token}\"}}"), "{\"password\":\"[redacted:github]\"}");
    becomes(&format!("Authorization: Bearer {token}"), "Authorization: Bearer [redacted:github]");
}

#[test]
fn markers_are_left_alone() {
    for text in [UNSETTLED, "[redacted:github]", "password=[redacted:password]", "\"token\": \"[redacted:jwt]\"", "[email]"] {
        stays(text);
    }
    let half = join(&["pass", "word=[redacted:jwt]hunter2"]);
    becomes(&half, "password=[redacted:password]");
}
