//! The table of what a secret looks like. A row is all there is to a shape: its name, the words that it cannot occur
//! without, its pattern, what of a match goes and what stands there afterwards.
//!
//! Rules of the table:
//! - Rows run from top to bottom on text that the rows above have cleaned: the specific ones come first, so that a reader
//!   learns that a GitHub token was there and not only some token.
//! - Triggers are found in any case and need no boundary; the pattern decides.
//! - Tokens may be cut off at their end, so a body needs about eight characters and not its full length.
//! - Classes of characters are bounded or consume what they look at; no pattern looks far ahead for a short match.
//! - No class of a secret's body holds `[`, or the judge knows markers: a marker must not be taken for a secret.

use super::judge;
use super::pieces::{assign, path_start, start, user};
use super::value::Value;

/// One kind of secret.
pub(super) struct Shape {
    /// What the marker says: `[redacted:NAME]`.
    pub name: &'static str,
    /// Words of which one must be in the text, in any case, for the pattern to run.
    pub triggers: &'static [&'static str],
    /// Whether the triggers end names of settings, and so only count with the start of an assignment behind them. Alone
    /// they would be seen all the time, as `token` is in `input_tokens`.
    pub names: bool,
    /// A regular expression. What it matches around the secret stays.
    pub pattern: &'static str,
    /// What of a match goes.
    pub secret: Secret,
    /// What stands in its place.
    pub becomes: Becomes,
}

/// What of a match is the secret.
pub(super) enum Secret {
    /// The first group that took part, if the judge agrees. A match without a group is stepped over.
    Group(fn(&str) -> bool),
    /// The value that follows the match, if the judge agrees.
    Value(fn(&Value<'_>) -> bool),
}

/// What stands in place of a secret.
pub(super) enum Becomes {
    /// `[redacted:NAME]`
    Marker,
    /// This text.
    Text(&'static str),
}

const fn group(name: &'static str, triggers: &'static [&'static str], pattern: &'static str, judge: fn(&str) -> bool) -> Shape {
    Shape { name, triggers, names: false, pattern, secret: Secret::Group(judge), becomes: Becomes::Marker }
}

const fn value(name: &'static str, triggers: &'static [&'static str], pattern: &'static str, judge: fn(&Value<'_>) -> bool) -> Shape {
    Shape { name, triggers, names: false, pattern, secret: Secret::Value(judge), becomes: Becomes::Marker }
}

/// A row whose pattern ends with [`assign!`].
const fn setting(name: &'static str, triggers: &'static [&'static str], pattern: &'static str, judge: fn(&Value<'_>) -> bool) -> Shape {
    Shape { name, triggers, names: true, pattern, secret: Secret::Value(judge), becomes: Becomes::Marker }
}

const fn place(
    name: &'static str,
    triggers: &'static [&'static str],
    pattern: &'static str,
    judge: fn(&str) -> bool,
    text: &'static str,
) -> Shape {
    Shape { name, triggers, names: false, pattern, secret: Secret::Group(judge), becomes: Becomes::Text(text) }
}

/// All shapes, the specific before the general.
pub(super) const SHAPES: &[Shape] = &[
    // Keys in PEM, on many lines or on one with `\n`. Without its END the key takes the rest of the text with it; without
    // its BEGIN it takes the base64 before.
    group(
        "private-key",
        &["private key"],
        concat!(
            r"(-{4,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}",
            r"(?s:.*?)(?:-{4,5} ?END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}|\z))",
            r"|([A-Za-z0-9+/=\\\r\n⏎␍]+-{4,5} ?END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5})",
        ),
        judge::always,
    ),
    // Tokens that their issuer's prefix tells.
    group("anthropic", &["sk-ant-"], r"(sk-ant-[A-Za-z0-9_-]{8,})", judge::always),
    group(
        "openai",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"],
        concat!(start!(), r"(sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{8,})"),
        judge::always,
    ),
    group("openrouter", &["sk-or-"], concat!(start!(), r"(sk-or-[A-Za-z0-9_-]{8,})"), judge::token),
    group("openai", &["sk-"], concat!(start!(), r"(sk-[A-Za-z0-9]{10,})"), judge::token),
    group("github", &["github_pat_"], r"(github_pat_[A-Za-z0-9_]{8,})", judge::always),
    group("github", &["ghp_", "gho_", "ghu_", "ghr_"], r"(gh[opur]_[A-Za-z0-9]{8,})", judge::always),
    // Tokens of an app may hold a number and a JWT. Words end in `ghs`, so this one needs a boundary.
    group(
        "github",
        &["ghs_"],
        concat!(start!(), r"(ghs_(?:[0-9]{1,12}_[A-Za-z0-9]{4,}|[A-Za-z0-9]{8,})(?:[._-]{1,2}[A-Za-z0-9]+)*)"),
        judge::always,
    ),
    group(
        "gitlab",
        &[
            "glpat-",
            "gldt-",
            "glrt-",
            "glrtr-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "glsoat-",
            "gloas-",
            "glffct-",
            "glwt-",
            "gr1348941",
        ],
        concat!(
            r"(glpat-[A-Za-z0-9_.-]{8,})|",
            start!(),
            r"((?:gl(?:dt|rtr?|cbt|ptt|ft|imt|agent|soat|oas|ffct|wt)-|GR1348941)[A-Za-z0-9_.-]{8,})",
        ),
        judge::always,
    ),
    group(
        "slack",
        &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
        r"((?:xox[a-z](?:\.xox[a-z])?|xapp)-[A-Za-z0-9%/+-]{8,})",
        judge::always,
    ),
    group(
        "slack-webhook",
        &["hooks.slack.com"],
        r"hooks\.slack(?:-gov)?\.com\\?/(?:services|workflows|triggers)\\?/([A-Za-z0-9/\\_-]{4,})",
        judge::always,
    ),
    group(
        "webhook",
        &["/api/webhooks/", "/webhookb2/"],
        r"(?:discord(?:app)?\.com/api/webhooks|webhook\.office\.com/webhookb2)/([A-Za-z0-9/@_-]{4,})",
        judge::always,
    ),
    group("google-api-key", &["aiza", "aq.ab"], r"(AIza[A-Za-z0-9_-]{8,}|AQ\.Ab[A-Za-z0-9_-]{12,})", judge::always),
    group("google-oauth", &["ya29.", "gocspx-"], r"(ya29\.[A-Za-z0-9_.-]{8,}|GOCSPX-[A-Za-z0-9_-]{8,})", judge::always),
    group("google-oauth", &["1//0"], concat!(start!(), r"(1//0[A-Za-z0-9_-]{16,})"), judge::dense),
    group(
        "stripe",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        concat!(start!(), r"((?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{8,})"),
        judge::always,
    ),
    group("npm", &["npm_"], concat!(start!(), r"(npm_[A-Za-z0-9]{8,})"), judge::token),
    group("pypi", &["pypi-"], r"(pypi-(?:Ag[A-Za-z0-9_-]{6,}|[A-Za-z0-9_-]{40,}))", judge::always),
    group("huggingface", &["hf_", "api_org_"], concat!(start!(), r"((?:hf|api_org)_[A-Za-z0-9]{10,})"), judge::token),
    group("aws-access-key", &["akia", "asia", "abia", "acca"], concat!(start!(), r"((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{8,})"), judge::always),
    // Services that agents are often given access to. Not worth a row each.
    group(
        "token",
        &[
            "gsk_",
            "xai-",
            "pplx-",
            "tvly-",
            "r8_",
            "e2b_",
            "lsv2_",
            "ntn_",
            "sbp_",
            "lin_api_",
            "lin_oauth_",
            "dop_v1_",
            "doo_v1_",
            "dor_v1_",
            "dckr_pat_",
            "dckr_oat_",
            "shpat_",
            "shpca_",
            "shppa_",
            "shpss_",
            "figd_",
            "glsa_",
            "sntrys_",
            "sntryu_",
            "rubygems_",
            "atatt3",
            "nrak-",
            "pmak-",
            "hvs.",
            "hvb.",
            "sg.",
            "age-secret-key",
        ],
        concat!(
            start!(),
            r"((?:gsk_|xai-|pplx-|tvly-|r8_|e2b_|lsv2_|ntn_|sbp_|lin_(?:api|oauth)_|do[opr]_v1_|dckr_[po]at_|shp(?:at|ca|pa|ss)_",
            r"|figd_|glsa_|sntry[su]_|rubygems_|ATATT3|NRAK-|PMAK-|hv[sb]\.|SG\.|AGE-SECRET-KEY-1)[A-Za-z0-9_.=-]{10,})",
        ),
        judge::token,
    ),
    group("token", &[":aa"], concat!(start!(), r"([0-9]{8,10}:AA[A-Za-z0-9_-]{8,})"), judge::always), // a Telegram bot's
    group("jwt", &["eyj"], concat!(start!(), r"(eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_=-]*){0,4})"), judge::always),
    // Headers. Schemes with parameters lose the rest of the line.
    group(
        "authorization",
        &["authorization"],
        concat!(
            r#"(?i-u:authorization)[\\"']{0,6}[ \t]*[:=][ \t]*[\\"']{0,4}"#,
            r"(?:(?i-u:digest|oauth|signature|aws4-hmac-sha256|negotiate|ntlm)[ \t]+([^\r\n⏎␍\\]+)",
            r#"|(?:(?i-u:bearer|basic|token|apikey|api-key|bot|key)[ \t]+)?([^ \t\r\n"'`\\,;⏎␍]+))"#,
        ),
        judge::header,
    ),
    group("bearer", &["bearer "], r"(?-u:\b)(?i-u:bearer)[ \t]+([A-Za-z0-9._~+/-]{8,}=*)", judge::bearer),
    group("basic", &["basic "], r"(?-u:\b)(?i-u:basic)[ \t]+([A-Za-z0-9+/]{8,}={0,2})", judge::basic),
    group(
        "cookie",
        &["cookie"],
        concat!(r#"(?i-u:cookie)[\\"']{0,6}(?:[ \t]*[:=]|[ \t])[ \t]*[\\"']{0,4}"#, r#"([^ \t\r\n"'\\=;,:()\[\]⏎␍]+=[^\r\n"'\\⏎␍]+)"#,),
        judge::always,
    ),
    value(
        "cookie",
        &["phpsessid", "jsessionid", "connect.sid", "asp.net_sessionid", "_gitlab_session"],
        r"(?i-u:phpsessid|jsessionid|connect\.sid|asp\.net_sessionid|_gitlab_session)=",
        judge::assigned,
    ),
    // Addresses with a password, which may hold `@` or `/` although it should not. Cut off before the `@`, only what looks
    // like a server's address counts: `docker://image:tag` does not.
    group(
        "url-credentials",
        &["://", r":\/\/"],
        concat!(r#":\\?/\\?/(?:([^ \t\r\n/?#"'`<>\\⏎␍]+)@"#, r#"|([^ \t\r\n/?#@:"'`<>\\⏎␍]*:[^ \t\r\n@"'`<>\\⏎␍]+)@)"#,),
        judge::user_info,
    ),
    group(
        "url-credentials",
        &["://"],
        concat!(
            r"(?i-u:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqp|amqps|mssql|clickhouse|https?|ftps?|sftp|smtps?|ldaps?)",
            r#"(?:\+[a-z0-9]{1,12})?://([^ \t\r\n/?#@:"'`<>\[\]\\⏎␍]*:[^ \t\r\n/?#@:"'`<>\\⏎␍]+)\z"#,
        ),
        judge::user_info_cut,
    ),
    group(
        "signed-url",
        &["sig=", "signature=", "security-token="],
        r"[?&;](?i-u:sig|x-(?:amz|goog)-signature|signature|x-amz-security-token)=([A-Za-z0-9%+/=_.~-]{8,})",
        judge::bearer,
    ),
    // Settings that hold a secret by their name.
    setting(
        "aws-secret-key",
        &[
            "access_key",
            "access-key",
            "access key",
            "accesskey",
            "aws_secret",
            "aws-secret",
            "awssecret",
            "secret_key",
            "secret-key",
            "secretkey",
            "session_token",
            "session-token",
            "sessiontoken",
        ],
        concat!(r"(?i-u:secret[ _-]?access[ _-]?key|aws[_-]?secret(?:[_-]?key)?|aws[_-]?session[_-]?token)", assign!()),
        judge::assigned,
    ),
    setting(
        "connection-key",
        &["accountkey", "sharedaccesskey", "sharedaccesssignature"],
        concat!(r"(?i-u:accountkey|sharedaccess(?:key|signature))", assign!()),
        judge::assigned,
    ),
    setting(
        "password",
        &["password", "passwd", "phrase", "passcode"],
        concat!(r"(?i-u:passw(?:or)?d|pass[ _-]?phrase|passcode)", assign!()),
        judge::assigned,
    ),
    setting("password", &["_pass"], concat!(r"[A-Z0-9]_PASS", assign!()), judge::assigned_token),
    // `pass` counts tests, unless there is a user with it.
    value(
        "password",
        &["pass=", "pass:", "pass'", "pass\"", "pass\\"],
        r#"(?:(?i-u:user(?:name)?)[\\"']{0,4}[ \t]*[=:][^\r\n⏎]{1,40}[^A-Za-z]|[?&])(?i-u:pass)[\\"']{0,4}[ \t]*[=:][ \t]*"#,
        judge::assigned,
    ),
    value(
        "password",
        &["pwd"],
        // In code and shells this is a directory far more often, so a colon needs a quoted name or a prefix before it.
        r#"(?i-u:pwd)(?:[\\"'\])]{0,6}[ \t]*={1,3}>?|[\\"'\])]{1,6}[ \t]*:)[ \t]*|[_-](?i-u:pwd)[ \t]*:[ \t]*"#,
        judge::assigned_no_path,
    ),
    setting(
        "api-key",
        &["key"],
        concat!(
            r"(?i-u:(?:api|app|access|secret|private|encrypt|encryption|signing|master|account|auth|shared|admin|deploy",
            r"|session|consumer|subscription|webhook|hmac|jwt|vault|openai|anthropic|gemini|groq|mistral|openrouter|azure)",
            r"[ _.-]?key)",
            assign!()
        ),
        judge::assigned_key,
    ),
    setting("api-key", &["_key"], concat!(r"[A-Z0-9]_KEY", assign!()), judge::assigned_random),
    setting(
        "token",
        &["token"],
        concat!(
            r"(?:[A-Z0-9]_TOKEN|(?i-u:(?:access|auth|api|secret|refresh|bearer|session|id|deploy|bot|personal|private|github",
            r"|gitlab|gh|git|npm|pypi|slack|discord|telegram|csrf|xsrf|oauth|oauth2|device|user|service|client|hf|registry",
            r"|publish|webhook|reset|invite|verification|security|admin|vault|jwt)[ _.-]?token))",
            assign!()
        ),
        judge::assigned_token,
    ),
    setting("secret", &["secret"], concat!(r"(?i-u:secret)", assign!()), judge::assigned),
    // Names that hold harmless values just as often.
    setting(
        "token",
        &["token", "auth", "credential", "credentials"],
        concat!(r#"(?:(?i-u:token|credentials?)|(?:^|[ \t\r\n"'_.{,])(?i-u:auth))"#, assign!()),
        judge::assigned_random,
    ),
    // Said in a sentence.
    value(
        "credential",
        &["password is", "key is", "token is", "secret is"],
        r"(?i-u:password|key|token|secret)[ \t]+is[ \t:]+",
        judge::assigned_random,
    ),
    // Set without a sign between name and value.
    value(
        "credential",
        &["env ", "setx "],
        r"(?-u:\b)(?:ENV|setx)[ \t]+[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|_KEY|APIKEY)[ \t]+",
        judge::assigned_token,
    ),
    // Command lines, also as a list of arguments.
    value(
        "credential",
        &["-passw", "-passphrase", "-secret", "-token", "-api", "-access-key", "-private-key", "-credential"],
        concat!(
            r#"(?:^|[ \t\r\n"'`=(\[,⏎])--(?:[a-z0-9]{1,20}-){0,3}"#,
            r"(?:password|passwd|passphrase|secret|token|api-?key|access-key|secret-key|private-key|credentials?)",
            r#"(?:[ \t]+|[\\"']{1,4},[ \t]*)"#,
        ),
        judge::assigned_token,
    ),
    group(
        "credential",
        &["curl"],
        concat!(
            r"(?-u:\b)curl(?-u:\b)[^\r\n⏎|;&]*?[ \t](?:-u|--user|--proxy-user)[ \t=]?",
            r#"[\\"']{0,4}([^ \t\r\n:"'\\⏎]+:[^ \t\r\n"'\\⏎]+)"#,
        ),
        judge::user_and_password,
    ),
    value("credential", &["sshpass", "docker login"], r"(?:sshpass|docker[ \t]+login)(?-u:\b)[^\r\n⏎|;&]*?[ \t]-p[ \t=]?", judge::assigned),
    value("credential", &["mysql"], r"(?-u:\b)mysql[a-z]*(?-u:\b)[^\r\n⏎|;&]*?[ \t]-p", judge::assigned),
    value(
        "credential",
        &["machine "],
        r"(?-u:\b)machine[ \t]+[^ \t\r\n⏎]+[ \t]+login[ \t]+[^ \t\r\n⏎]+[ \t]+password[ \t]+", // .netrc
        judge::assigned,
    ),
    group(
        "credential",
        &["password>", "passwd>", "secret>", "key>", "token>"],
        r#"<[A-Za-z0-9_:.-]*(?i-u:password|passwd|secret|api_?key|token)>([^<> \t\r\n"'⏎]+)(?:</|\z)"#,
        judge::header,
    ),
    // Persons. An escape before a decorator (`\n@app.route`) is no address, nor is git's user or a URL's.
    place(
        "email",
        &["@"],
        concat!(
            r"\\[nrt]@|(?-u:\b)git@|:\\?/\\?/[A-Za-z0-9._%+-]+@|(?:\\[nrt])?",
            r"([A-Za-z0-9_][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24})",
        ),
        judge::email,
        "[email]",
    ),
    // Home directories. On Windows a name may hold blanks, which only the separator behind it tells.
    place(
        "home",
        &[r":\users\", r":\\users\\", ":/users/"],
        r#"([A-Za-z]:(?:\\{1,4}|/)(?i-u:users)(?:\\{1,4}|/)[^\\/:*?"<>|\r\n⏎␍]{1,40}(?:\\{1,4}|/))"#,
        judge::always,
        "~/",
    ),
    place(
        "home",
        &[r":\users\", r":\\users\\", ":/users/"],
        concat!(r"([A-Za-z]:(?:\\{1,4}|/)(?i-u:users)(?:\\{1,4}|/)", user!(), ")"),
        judge::always,
        "~",
    ),
    place(
        "home",
        &["/home/", r"/home\/", "/users/", r"/users\/"],
        concat!(path_start!(), r"((?:\\?/(?:var|usr|export|mnt|private)|(?:\\?/mnt)?\\?/[a-z])?\\?/(?:home|Users)\\?/", user!(), ")"),
        judge::always,
        "~",
    ),
    place("home", &["/root"], concat!(path_start!(), r"(\\?/root)(?:[^A-Za-z0-9_.-]|\.?\z)"), judge::always, "~"),
    // Agents name a project's folder after its path: `projects/-Users-NAME-work-app`.
    place("home", &["-users-", "-home-"], r"projects[\\/]{1,4}(-(?:Users|home)-[A-Za-z0-9]+)", judge::always, "-~"),
];
