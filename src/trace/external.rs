//! Commands that write outside the workspace: to a shared branch, a registry, a cluster, somebody's service.

/// What a command writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum External {
    /// A shared repository.
    Push,
    /// A pull request, an issue or a comment.
    Request,
    /// A package registry.
    Publish,
    /// A cluster, a cloud, a host.
    Deploy,
    /// Somebody's service, by HTTP.
    Http,
}

impl External {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Push => "pushes to a shared repository",
            Self::Request => "opens or changes a request on a forge",
            Self::Publish => "publishes a package",
            Self::Deploy => "deploys",
            Self::Http => "writes to a service by HTTP",
        }
    }

    /// Words of a task that ask for it.
    #[must_use]
    pub fn asked_by(self) -> &'static [&'static str] {
        match self {
            Self::Push => &["push", "publish", "release", "ship", "deploy", "pull request", " pr "],
            Self::Request => &["pull request", " pr", "issue", "comment", "merge", "release"],
            Self::Publish => &["publish", "release", "ship", "registry"],
            Self::Deploy => &["deploy", "release", "ship", "apply", "roll out", "rollout", "terraform", "kubectl", "cluster", "infra"],
            Self::Http => &["post ", "api", "webhook", "request", "curl", "http", "endpoint"],
        }
    }
}

/// Programs, what must follow them, and what that is.
const COMMANDS: &[(&str, &[&str], External)] = &[
    ("git", &["push"], External::Push),
    (
        "gh",
        &["pr create", "pr merge", "pr comment", "pr edit", "issue create", "issue comment", "issue close", "release create"],
        External::Request,
    ),
    ("glab", &["mr create", "mr merge", "issue create"], External::Request),
    ("npm", &["publish"], External::Publish),
    ("pnpm", &["publish"], External::Publish),
    ("yarn", &["publish", "npm publish"], External::Publish),
    ("bun", &["publish"], External::Publish),
    ("cargo", &["publish"], External::Publish),
    ("poetry", &["publish"], External::Publish),
    ("uv", &["publish"], External::Publish),
    ("hatch", &["publish"], External::Publish),
    ("twine", &["upload"], External::Publish),
    ("gem", &["push"], External::Publish),
    ("docker", &["push"], External::Publish),
    ("terraform", &["apply", "destroy"], External::Deploy),
    ("tofu", &["apply", "destroy"], External::Deploy),
    ("kubectl", &["apply", "delete", "create", "patch", "scale"], External::Deploy),
    ("helm", &["install", "upgrade", "uninstall"], External::Deploy),
    ("pulumi", &["up", "destroy"], External::Deploy),
    ("serverless", &["deploy"], External::Deploy),
    ("vercel", &["deploy", "--prod"], External::Deploy),
    ("netlify", &["deploy"], External::Deploy),
    ("fly", &["deploy"], External::Deploy),
    ("flyctl", &["deploy"], External::Deploy),
    ("gcloud", &["run deploy", "app deploy", "functions deploy"], External::Deploy),
    ("wrangler", &["deploy", "publish"], External::Deploy),
];

/// The first thing of a command line that writes outside the workspace. A dry run does not.
#[must_use]
pub fn of_command(command: &str) -> Option<External> {
    super::danger::segments(command).iter().find_map(|words| of_words(words))
}

fn of_words(words: &[String]) -> Option<External> {
    let mut words =
        words.iter().map(String::as_str).skip_while(|w| w.contains('=') || matches!(*w, "sudo" | "env" | "time" | "command" | "npx"));
    let program = words.next()?;
    let rest: Vec<&str> = words.collect();
    if rest.iter().any(|w| matches!(*w, "--dry-run" | "--dryrun" | "-n" | "--help" | "--dry-run=client" | "--dry-run=server")) {
        return None;
    }
    if program == "curl" {
        return writes_by_http(&rest).then_some(External::Http);
    }
    let verbs: Vec<&str> = rest.iter().copied().filter(|w| !w.starts_with('-') || *w == "--prod").collect();
    let (_, _, what) = COMMANDS.iter().find(|(name, heads, _)| {
        *name == program && heads.iter().any(|head| head.split(' ').eq(verbs.iter().copied().take(head.split(' ').count())))
    })?;
    Some(*what)
}

/// A request that changes something, and not on this machine.
fn writes_by_http(rest: &[&str]) -> bool {
    let verb = rest.windows(2).any(|w| matches!(w[0], "-X" | "--request") && matches!(w[1], "POST" | "PUT" | "PATCH" | "DELETE"));
    let joined = rest.iter().any(|w| ["-XPOST", "-XPUT", "-XPATCH", "-XDELETE"].contains(w));
    let local = |w: &&&str| ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal"].iter().any(|l| w.contains(l));
    let named = rest.iter().any(|w| w.starts_with("http://") || w.starts_with("https://"));
    (verb || joined) && named && !rest.iter().any(|w| local(&w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_workspace() {
        for (command, what) in [
            ("git push origin main", External::Push),
            ("cd x && git add . && git push", External::Push),
            ("gh pr create --title x", External::Request),
            ("npm publish --access public", External::Publish),
            ("cargo publish", External::Publish),
            ("terraform apply -auto-approve", External::Deploy),
            ("kubectl apply -f k8s/", External::Deploy),
            ("curl -X POST https://hooks.example.com/x -d 1", External::Http),
        ] {
            assert_eq!(of_command(command), Some(what), "{command}");
        }
        for command in [
            "git pull",
            "echo 'git push'",
            "npm publish --dry-run",
            "cargo package",
            "kubectl get pods",
            "terraform plan",
            "curl https://example.com",
            "curl -X POST http://localhost:3000/api",
            "grep -rn publish .",
            "gh pr view 4",
        ] {
            assert_eq!(of_command(command), None, "{command}");
        }
    }
}
