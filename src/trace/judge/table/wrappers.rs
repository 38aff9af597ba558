//! Programs that run another program, and where in their arguments it begins.

/// One such program.
#[derive(Debug)]
pub(in crate::trace::judge) struct Wrapper {
    pub(in crate::trace::judge) name: &'static str,
    /// One of these words has to come first among its bare words; none are listed: nothing has to.
    pub(in crate::trace::judge) verbs: &'static [&'static str],
    /// Its flags that take a value as the next word.
    pub(in crate::trace::judge) value: &'static [&'static str],
    /// Its flags whose value is the directory that the program runs in.
    pub(in crate::trace::judge) dir: &'static [&'static str],
    /// Its flags whose value is a whole command line.
    pub(in crate::trace::judge) script: &'static [&'static str],
    /// With one of these it only tells about a program.
    pub(in crate::trace::judge) off: &'static [&'static str],
    /// How many bare words stand before the program.
    pub(in crate::trace::judge) skip: usize,
    /// The program stands behind `--`, one of these, or one of the `script` flags, and nowhere else.
    pub(in crate::trace::judge) marks: &'static [&'static str],
    /// See `marks`.
    pub(in crate::trace::judge) marked: bool,
    /// All that is left is one command line.
    pub(in crate::trace::judge) joined: bool,
    /// The program's targets come from elsewhere (`xargs`).
    pub(in crate::trace::judge) fed: bool,
    /// The program is a Python file or `-m module`.
    pub(in crate::trace::judge) python: bool,
}

const PLAIN: Wrapper = Wrapper {
    name: "",
    verbs: &[],
    value: &[],
    dir: &[],
    script: &[],
    off: &[],
    skip: 0,
    marks: &[],
    marked: false,
    joined: false,
    fed: false,
    python: false,
};

const TIMEOUT: Wrapper = Wrapper { name: "timeout", value: &["-k", "-s", "--signal", "--kill-after"], skip: 1, ..PLAIN };
const RUN: Wrapper = Wrapper { verbs: &["run"], ..PLAIN };
const EXEC: Wrapper = Wrapper { verbs: &["exec"], ..PLAIN };
const DOTENV: Wrapper = Wrapper { name: "dotenv", value: &["-e", "-f", "-c", "-p"], verbs: &[], ..PLAIN };
const SECRETS: Wrapper = Wrapper { verbs: &["run"], marked: true, ..PLAIN };
const NODE_TOOL: Wrapper = Wrapper {
    value: &["-p", "--package", "-w", "--workspace", "--filter", "-F"],
    dir: &["--prefix", "--cwd", "-C", "--dir"],
    script: &["-c", "--call"],
    ..PLAIN
};
const CONDA: Wrapper = Wrapper { name: "conda", verbs: &["run"], value: &["-n", "--name", "-p", "--prefix"], dir: &["--cwd"], ..PLAIN };

const DOCKER_VALUES: &[&str] = &[
    "-v",
    "--volume",
    "-e",
    "--env",
    "-p",
    "--publish",
    "-u",
    "--user",
    "--name",
    "--network",
    "--net",
    "--entrypoint",
    "-m",
    "--memory",
    "--cpus",
    "--mount",
    "--platform",
    "--env-file",
    "--add-host",
    "-l",
    "--label",
    "--gpus",
    "--shm-size",
    "--tmpfs",
    "--ulimit",
    "--pull",
    "--restart",
    "--hostname",
    "-h",
    "--detach-keys",
    "-f",
    "--file",
    "--project-name",
    "--profile",
    "--project-directory",
    "--index",
    "--context",
    "-H",
    "-c",
    "--cap-add",
    "--security-opt",
    "--device",
    "--ipc",
    "--volumes-from",
    "--link",
    "--dns",
    "--log-driver",
    "--runtime",
];
const DOCKER_DIR: &[&str] = &["-w", "--workdir"];
const DOCKER: Wrapper = Wrapper { name: "docker", verbs: &["exec", "run"], value: DOCKER_VALUES, dir: DOCKER_DIR, skip: 1, ..PLAIN };

/// All of them.
pub(in crate::trace::judge) const WRAPPERS: &[Wrapper] = &[
    TIMEOUT,
    Wrapper { name: "gtimeout", ..TIMEOUT },
    Wrapper { name: "time", value: &["-f", "--format", "-o", "--output"], ..PLAIN },
    Wrapper { name: "nohup", ..PLAIN },
    Wrapper { name: "nice", value: &["-n"], ..PLAIN },
    Wrapper { name: "ionice", value: &["-c", "-n"], ..PLAIN },
    Wrapper { name: "taskset", value: &[], skip: 1, ..PLAIN },
    Wrapper { name: "setsid", ..PLAIN },
    Wrapper { name: "stdbuf", value: &["-i", "-o", "-e"], ..PLAIN },
    Wrapper { name: "unbuffer", ..PLAIN },
    Wrapper { name: "chronic", ..PLAIN },
    Wrapper { name: "caffeinate", ..PLAIN },
    Wrapper { name: "rtk", ..PLAIN },
    Wrapper { name: "flock", value: &["-w", "-E", "--timeout"], script: &["-c"], skip: 1, ..PLAIN },
    Wrapper { name: "sudo", value: &["-u", "-g", "-h", "-p", "-C", "-U", "-r", "-t"], dir: &["-D", "--chdir"], ..PLAIN },
    Wrapper { name: "doas", value: &["-u", "-C"], ..PLAIN },
    Wrapper { name: "su", value: &["-s", "-g", "-G"], script: &["-c", "--command"], marked: true, ..PLAIN },
    Wrapper { name: "runuser", value: &["-u", "-s", "-g"], script: &["-c"], ..PLAIN },
    Wrapper { name: "gosu", skip: 1, ..PLAIN },
    Wrapper { name: "chroot", skip: 1, ..PLAIN },
    Wrapper { name: "exec", value: &["-a"], ..PLAIN },
    Wrapper { name: "command", off: &["-v", "-V"], ..PLAIN },
    Wrapper { name: "builtin", ..PLAIN },
    Wrapper { name: "env", value: &["-u", "--unset"], dir: &["-C", "--chdir"], script: &["-S", "--split-string"], ..PLAIN },
    Wrapper { name: "cross-env", ..PLAIN },
    Wrapper { name: "xvfb-run", value: &["-s", "-n", "-e", "-f", "-p", "-w", "--server-args", "--server-num", "--error-file"], ..PLAIN },
    Wrapper { name: "valgrind", ..PLAIN },
    Wrapper { name: "strace", value: &["-o", "-e", "-s", "-E", "-u"], ..PLAIN },
    Wrapper { name: "ltrace", value: &["-o", "-e", "-s", "-u"], ..PLAIN },
    Wrapper { name: "xargs", value: &["-n", "-P", "-I", "-L", "-d", "-a", "-s", "-E", "--max-args", "--max-procs"], fed: true, ..PLAIN },
    Wrapper { name: "eval", joined: true, ..PLAIN },
    Wrapper { name: "ssh", value: &["-p", "-i", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-E", "-S"], skip: 1, joined: true, ..PLAIN },
    Wrapper { name: "script", script: &["-c", "--command", "-qc", "-qec", "-qefc"], value: &["-o", "-O", "-I"], marked: true, ..PLAIN },
    Wrapper { name: "cmd", script: &["/c", "/C"], marked: true, joined: true, ..PLAIN },
    Wrapper { name: "wsl", value: &["-d", "--distribution", "-u", "--user"], dir: &["--cd"], ..PLAIN },
    DOCKER,
    Wrapper { name: "podman", ..DOCKER },
    Wrapper { name: "nerdctl", ..DOCKER },
    Wrapper { name: "docker-compose", ..DOCKER },
    Wrapper { name: "podman-compose", ..DOCKER },
    Wrapper {
        name: "kubectl",
        verbs: &["exec"],
        value: &["-n", "-c", "--namespace", "--container", "--context", "-f"],
        skip: 1,
        marked: true,
        ..PLAIN
    },
    Wrapper { name: "devcontainer", value: &["--workspace-folder", "--container-id", "--config", "--remote-env"], ..EXEC },
    Wrapper { name: "vagrant", verbs: &["ssh"], script: &["-c", "--command"], marked: true, ..PLAIN },
    Wrapper { name: "nix", verbs: &["develop", "shell"], marks: &["-c", "--command"], marked: true, ..PLAIN },
    Wrapper { name: "nix-shell", value: &["-p", "-A"], script: &["--run", "--command"], marked: true, ..PLAIN },
    Wrapper { name: "direnv", skip: 1, ..EXEC },
    Wrapper { name: "asdf", ..EXEC },
    Wrapper { name: "rbenv", ..EXEC },
    Wrapper { name: "opam", ..EXEC },
    Wrapper { name: "bundle", ..EXEC },
    Wrapper { name: "mise", verbs: &["exec", "x"], marked: true, ..PLAIN },
    DOTENV,
    Wrapper { name: "dotenvx", verbs: &["run"], ..DOTENV },
    Wrapper { name: "doppler", ..SECRETS },
    Wrapper { name: "op", ..SECRETS },
    Wrapper { name: "infisical", ..SECRETS },
    CONDA,
    Wrapper { name: "mamba", ..CONDA },
    Wrapper { name: "micromamba", ..CONDA },
    Wrapper {
        name: "uv",
        value: &[
            "--with",
            "--extra",
            "--group",
            "--python",
            "-p",
            "--from",
            "--env-file",
            "--index-url",
            "--package",
            "--with-requirements",
            "--with-editable",
            "--only-group",
            "--no-group",
            "--index",
            "--default-index",
            "-i",
        ],
        dir: &["--directory", "--project"],
        python: true,
        ..RUN
    },
    Wrapper { name: "uvx", value: &["--from", "--with", "-p", "--python", "--index-url"], ..PLAIN },
    Wrapper { name: "poetry", dir: &["-C", "--directory", "-P", "--project"], ..RUN },
    Wrapper { name: "pipenv", ..RUN },
    Wrapper { name: "pipx", value: &["--spec", "--python"], ..RUN },
    Wrapper { name: "rye", ..RUN },
    Wrapper {
        name: "coverage",
        value: &["--source", "--rcfile", "--omit", "--include", "--data-file", "--context", "--concurrency"],
        python: true,
        ..RUN
    },
    Wrapper { name: "npx", ..NODE_TOOL },
    Wrapper { name: "bunx", ..NODE_TOOL },
    Wrapper { name: "pnpx", ..NODE_TOOL },
    Wrapper { name: "c8", value: &["-r", "--reporter", "-n", "--include", "-x", "--exclude", "-o", "--reports-dir"], ..PLAIN },
    Wrapper { name: "nyc", value: &["-r", "--reporter", "-n", "--include", "-x", "--exclude", "--report-dir"], ..PLAIN },
    Wrapper { name: "watchexec", value: &["-e", "--exts", "-w", "--watch", "-i", "--ignore", "-d", "--debounce"], ..PLAIN },
    Wrapper { name: "entr", ..PLAIN },
];
