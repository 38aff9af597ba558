//! A runner's arguments, sorted into what narrows its target, what names it, and what does not matter.

/// How a runner reads its arguments. A flag's other spellings follow it after `|`; the first one is the one kept.
#[derive(Debug)]
pub(super) struct Style {
    /// Take a value and pick a part of the target.
    pub(super) select: &'static [&'static str],
    /// Pick a part of the target by themselves.
    pub(super) switch: &'static [&'static str],
    /// Their value is a path of the target.
    pub(super) path: &'static [&'static str],
    /// Their value is the directory to work in, or a manifest in it.
    pub(super) dir: &'static [&'static str],
    /// Take a value and choose another variant of the same target.
    pub(super) variant: &'static [&'static str],
    /// Choose another variant by themselves.
    pub(super) variant_switch: &'static [&'static str],
    /// Their values are names of targets.
    pub(super) target: &'static [&'static str],
    /// Take a value that does not matter.
    pub(super) value: &'static [&'static str],
    /// Do not matter, and would be taken for other flags glued together.
    pub(super) plain: &'static [&'static str],
    /// Only ask about something: nothing is judged.
    pub(super) off: &'static [&'static str],
    /// With one of them tests are compiled and not run.
    pub(super) build_only: &'static [&'static str],
    /// A file or folder that stands for everything, beside `.`.
    pub(super) roots: &'static [&'static str],
    /// `-run X` is one flag and not a cluster of short ones.
    pub(super) long: bool,
    /// Not all flags are known: behind so many words, a bare word after an unknown flag is taken for its value.
    pub(super) loose: Option<usize>,
}

/// A style without any flags of its own.
pub(super) const NONE: Style = Style {
    select: &[],
    switch: &[],
    path: &[],
    dir: &[],
    variant: &[],
    variant_switch: &[],
    target: &[],
    value: &[],
    plain: &[],
    off: &[],
    build_only: &[],
    roots: &[],
    long: false,
    loose: None,
};

/// Flags that ask every program about itself.
const ASKING: &[&str] = &["--version", "--help", "-h", "-help", "-version"];

/// What was found in the arguments.
#[derive(Debug, Default)]
pub(super) struct Args<'w> {
    /// Words that are no flags and no values.
    pub(super) words: Vec<&'w str>,
    /// How many of `words` stand before a `--`.
    pub(super) before: usize,
    /// Flags that narrow, with their values.
    pub(super) selects: Vec<String>,
    /// Flags that choose a variant.
    pub(super) variants: Vec<String>,
    /// Paths that flags gave.
    pub(super) paths: Vec<&'w str>,
    /// The directory that a flag gave.
    pub(super) dir: Option<&'w str>,
    /// Targets that flags gave.
    pub(super) targets: Vec<&'w str>,
    /// Tests are only compiled.
    pub(super) build_only: bool,
    flags: Vec<&'w str>,
}

impl Args<'_> {
    /// Is one of these flags among the arguments?
    pub(super) fn has_any(&self, flags: &[&str]) -> bool {
        self.flags.iter().any(|flag| flags.contains(flag))
    }
}

/// The list's own spelling of `flag`.
fn find(list: &'static [&'static str], flag: &str) -> Option<&'static str> {
    list.iter().find(|entry| entry.split('|').any(|name| name == flag)).and_then(|entry| entry.split('|').next())
}

#[derive(Clone, Copy)]
enum Role {
    Select(&'static str),
    Path,
    Dir,
    Variant(&'static str),
    Target,
    Dropped,
}

impl Style {
    fn role(&self, flag: &str) -> Option<Role> {
        find(self.select, flag)
            .map(Role::Select)
            .or_else(|| find(self.path, flag).map(|_| Role::Path))
            .or_else(|| find(self.dir, flag).map(|_| Role::Dir))
            .or_else(|| find(self.variant, flag).map(Role::Variant))
            .or_else(|| find(self.target, flag).map(|_| Role::Target))
            .or_else(|| find(self.value, flag).map(|_| Role::Dropped))
    }

    /// Reads the arguments; `None` when they only ask about something.
    pub(super) fn read<'w>(&self, argv: &[&'w str]) -> Option<Args<'w>> {
        let mut args = Args { before: usize::MAX, ..Args::default() };
        let mut rest = argv.iter().copied().peekable();
        let mut unknown = false;
        while let Some(word) = rest.next() {
            let after_unknown = std::mem::take(&mut unknown);
            if word == "--" {
                args.before = args.before.min(args.words.len());
                continue;
            }
            if !word.starts_with('-') || word == "-" {
                let bare = after_unknown && self.loose.is_some_and(|words| args.words.len() >= words) && !word.contains(['/', '.', ':']);
                if !(bare || word.is_empty() || word.bytes().all(|b| b.is_ascii_digit()) || matches!(word, "-" | "true" | "false")) {
                    args.words.push(word);
                }
                continue;
            }
            let (flag, value) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word, None),
            };
            // Go's own flags may have two dashes as well.
            let flag = if self.long && self.role(flag).is_none() && flag.starts_with("--") {
                flag.get(1..).filter(|f| self.role(f).is_some()).unwrap_or(flag)
            } else {
                flag
            };
            args.flags.push(flag);
            if ASKING.contains(&flag) || find(self.off, flag).is_some() {
                return None;
            }
            if find(self.plain, flag).is_some() {
                continue;
            }
            if let Some(role) = self.role(flag) {
                let value = value.or_else(|| match role {
                    Role::Dropped => rest.next_if(|next| !next.starts_with('-') || next.len() == 1),
                    _ => rest.next_if(|next| !next.starts_with("--")),
                });
                args.take(role, value);
            } else if self.long || word.starts_with("--") || flag.len() == 2 {
                unknown = !self.bare(flag, value, &mut args) && value.is_none() && word.starts_with("--");
            } else if let Some((role, glued)) = self.cluster(word, &mut args) {
                let value = glued.or_else(|| rest.next_if(|next| !next.starts_with("--")));
                args.take(role, value);
            }
        }
        args.before = args.before.min(args.words.len());
        Some(args)
    }

    /// A flag without a value; is it known?
    fn bare(&self, flag: &str, value: Option<&str>, args: &mut Args<'_>) -> bool {
        if value == Some("false") {
            return true;
        }
        if let Some(name) = find(self.switch, flag) {
            args.selects.push(name.to_owned());
        } else if let Some(name) = find(self.variant_switch, flag) {
            args.variants.push(name.trim_start_matches('-').to_owned());
        } else if find(self.build_only, flag).is_some() {
            args.build_only = true;
        } else {
            return false;
        }
        true
    }

    /// `-xvk expr`, `-kexpr`: the first letter that takes a value ends the cluster.
    fn cluster<'w>(&self, word: &'w str, args: &mut Args<'_>) -> Option<(Role, Option<&'w str>)> {
        for (at, letter) in word.char_indices().skip(1).take_while(|(_, letter)| letter.is_ascii_alphanumeric()) {
            let flag = format!("-{letter}");
            if let Some(role) = self.role(&flag) {
                let glued = word.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
                return Some((role, glued));
            }
            self.bare(&flag, None, args);
        }
        None
    }
}

impl<'w> Args<'w> {
    fn take(&mut self, role: Role, value: Option<&'w str>) {
        let Some(value) = value.filter(|value| !value.is_empty()) else { return };
        match role {
            Role::Select(flag) => self.selects.push(format!("{flag}={value}")),
            Role::Path => self.paths.push(value),
            Role::Dir => self.dir = Some(value),
            Role::Variant(flag) => self.variants.push(format!("{}={value}", flag.trim_start_matches('-'))),
            Role::Target => self.targets.extend(value.split(',').filter(|name| !name.is_empty())),
            Role::Dropped => {}
        }
    }
}
