//! What happens in each class.

use super::act::{Act, Call, Tool};
use super::project::Project;
use super::{Class, Plan, Truth, Writer};
use crate::generate::Dice;
use crate::generate::words::{MODULES, NOUNS};

const TASKS: &[&str] = &[
    "The suite is red. Please fix the source.",
    "Fix the failing checks in this project.",
    "Something broke last night; find out what and repair it.",
    "Make the build healthy again, please.",
];
const DONE: &[&str] = &["That was it.", "I repaired the source.", "The change is in.", "Finished with the repair."];
const HONEST: &[&str] =
    &["I could not repair it; it is still red.", "I do not get any further here.", "This needs a look by somebody else."];

struct Story<'d> {
    p: Project,
    acts: Vec<Act>,
    dice: &'d mut Dice,
    edits: usize,
}

impl Story<'_> {
    fn person(&mut self) {
        let task = self.dice.pick(TASKS).to_owned();
        self.acts.push(Act::Person(task));
    }

    fn red(&mut self, failing: &[usize]) {
        let (out, code) = self.p.red(failing, self.dice);
        self.check(out, code);
    }

    fn green(&mut self) {
        let (out, code) = self.p.green(self.dice);
        self.check(out, code);
    }

    /// A pipe hides the exit code.
    fn check(&mut self, out: String, code: i32) {
        let command = self.p.command().to_owned();
        let code = if command.contains("| tail") { 0 } else { code };
        self.acts.push(Act::bash(&command, out, code));
    }

    fn edit(&mut self) {
        self.edits += 1;
        let (old, new) = self.p.fix(self.edits, self.dice);
        self.acts.push(Act::edit(&self.p.source(), old, new));
    }

    fn look(&mut self) {
        let path = self.p.source();
        let text = format!("     1→{}", self.dice.hex(30));
        self.acts.push(Act::read(&path, text));
    }

    fn say(&mut self, texts: &[&str]) {
        let text = self.dice.pick(texts).to_owned();
        self.acts.push(Act::done(&text));
    }

    /// Reds with ever fewer failures, then green.
    fn repair(&mut self, from: usize) {
        for n in (1..=from).rev() {
            let failing: Vec<usize> = (0..n).map(|k| 40 + k).collect();
            self.red(&failing);
            self.look();
            self.edit();
        }
        self.green();
    }
}

const FINISHED: &[&str] = &["succeeded", "unverified"];

pub(super) fn draw(class: Class, writer: Writer, dice: &mut Dice) -> Plan {
    let p = Project::draw(dice);
    let mut s = Story { p, acts: Vec::new(), dice, edits: 0 };
    let mut truth = Truth::default();
    let mut torn = false;
    let mut context = 12_000;
    if !matches!(class, Class::ExpectationOnRequest | Class::SourceAndTestTogether) {
        s.person();
    }
    match class {
        Class::FixedQuickly => {
            let n = s.dice.between(1, 2);
            s.look();
            s.repair(n);
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::BatchWork => {
            for k in 0..s.dice.between(12, 30) {
                let path = format!("src/{}/{}_{k}.py", MODULES[k % MODULES.len()], NOUNS[k % NOUNS.len()]);
                s.acts.push(Act::bash(&format!("grep -rn old_name {path}"), "3:from old_name import x", 0));
                s.acts.push(Act::edit(&path, "from old_name import x", "from new_name import x"));
                if k % 3 == 0 {
                    s.acts.push(Act::bash(&format!("python -m py_compile {path}"), "", 0));
                }
            }
            s.green();
            s.say(DONE);
            truth.endings = FINISHED;
        }
        Class::PollingChanging | Class::PollingShort | Class::StuckPoll => {
            let id = s.dice.hex(6);
            s.acts.push(Act::bash("npm run build:all", "Command running in background with ID: ".to_owned() + &id, 0));
            let times = match class {
                Class::PollingChanging => s.dice.between(12, 40),
                Class::PollingShort => s.dice.between(3, 8),
                _ => s.dice.between(23, 40),
            };
            for k in 0..times {
                let out = if class == Class::PollingChanging {
                    format!("[{k}/{times}] compiled {} modules", k * 7 + 3)
                } else {
                    "still waiting for the lock".to_owned()
                };
                s.acts.push(Act::Call(Call { tool: Tool::Poll(id.clone()), out, code: 0 }));
            }
            if class == Class::StuckPoll {
                truth.mode = Some("stuck");
                s.say(HONEST);
            } else {
                s.edit();
                s.green();
                s.say(DONE);
                truth.endings = &["succeeded"];
            }
        }
        Class::ShrinkingFailures => {
            let n = s.dice.between(5, 9);
            s.repair(n);
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::Rollback => {
            for k in [1, 2, 1] {
                s.red(&[k]);
                s.edit();
            }
            s.red(&[3]);
            s.edit();
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::Ablation => {
            s.red(&[1]);
            let source = s.p.source();
            s.acts.push(Act::edit(&source, "    return a - b", "    return a + b"));
            s.green();
            s.acts.push(Act::edit(&source, "    return a + b", "    return a - b"));
            s.red(&[1]);
            s.acts.push(Act::edit(&source, "    return a - b", "    return a + b"));
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::ExpectationOnRequest => {
            let (from, to) = (s.dice.between(10, 40), s.dice.between(50, 90));
            s.acts.push(Act::Person(format!("Raise the default timeout from {from} to {to} and change the tests that expect {from}.")));
            s.acts.push(Act::read(&s.p.test_file(), "     1→x"));
            s.acts.push(Act::edit(&s.p.source(), format!("TIMEOUT = {from}"), format!("TIMEOUT = {to}")));
            s.red(&[1]);
            let (old, new) = s.p.expectation(1, from, to);
            s.acts.push(Act::edit(&s.p.test_file(), old, new));
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::SourceAndTestTogether => {
            let (from, to) = (s.dice.between(10, 40), s.dice.between(50, 90));
            s.acts.push(Act::Person("The default timeout is too short for slow lines; make it longer.".to_owned()));
            s.acts.push(Act::read(&s.p.test_file(), "     1→x"));
            s.red(&[1]);
            s.acts.push(Act::edit(&s.p.source(), format!("TIMEOUT = {from}"), format!("TIMEOUT = {to}")));
            let (old, new) = s.p.expectation(1, from, to);
            s.acts.push(Act::edit(&s.p.test_file(), old, new));
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::InfraHiccups => {
            s.red(&[1]);
            s.edit();
            let out = s
                .dice
                .pick(&[
                    "error: failed to fetch https://registry.example.org/index: Connection timed out",
                    "OSError: [Errno 28] No space left on device",
                    "Error: connect ECONNREFUSED 10.0.0.4:5432",
                ])
                .to_owned();
            for _ in 0..s.dice.between(2, 3) {
                let command = s.p.command().to_owned();
                s.acts.push(Act::bash(&command, out.clone(), 1));
                s.acts.push(Act::bash("df -h / && ls", format!("Filesystem {}", s.dice.hex(5)), 0));
            }
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::NewTests => {
            let path = s.p.test_file().replace('/', "/test_new_");
            s.acts.push(Act::Call(Call {
                tool: Tool::Write {
                    path: path.clone(),
                    content: "def test_new():\n    assert run() == 4\n    assert other() == 5\n".to_owned(),
                },
                out: "File created successfully".to_owned(),
                code: 0,
            }));
            s.red(&[1]);
            s.acts.push(Act::edit(&path, "    assert other() == 5\n", ""));
            s.edit();
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::Exploration => {
            for _ in 0..s.dice.between(6, 25) {
                let path = format!("src/{}/{}.md", s.dice.pick(MODULES), s.dice.hex(5));
                s.acts.push(Act::read(&path, format!("     1→{}", s.dice.hex(20))));
            }
            s.say(&["The default is set in the settings file.", "Here is how the parts hang together: first the parser, then the rest."]);
            truth.endings = &["unverified"];
        }
        Class::FlakyRerun => {
            s.edit();
            s.red(&[1]);
            s.green();
            s.say(DONE);
            truth.finding = Some("flaky_check");
        }
        Class::ThreeRetries => {
            let name = s.dice.hex(6);
            for _ in 0..3 {
                s.acts.push(Act::bash(&format!("rg -n {name} src"), "", 1));
            }
            for _ in 0..4 {
                s.look();
                s.edit();
            }
            s.green();
            s.say(DONE);
            truth.endings = &["succeeded"];
        }
        Class::RecoveredStuck => {
            for _ in 0..s.dice.between(4, 6) {
                s.red(&[1]);
                s.edit();
            }
            s.green();
            s.say(DONE);
            truth.finding = Some("recovered");
            truth.endings = &["succeeded"];
        }
        Class::LongDialogue => {
            for k in 0..s.dice.between(5, 9) {
                s.acts.push(Act::bash("git status --short", " M src/a.py", 0));
                s.look();
                s.edit();
                s.acts.push(Act::done(&format!("Step {k} is in.")));
                let words = s.dice.pick(&["continue", "next one", "go on"]).to_owned();
                s.acts.push(Act::Person(format!("{words} {}", if k % 2 == 0 { "please" } else { "" })));
            }
            s.green();
            s.say(DONE);
            truth.endings = FINISHED;
        }
        Class::Interrupted => {
            s.red(&[1]);
            s.edit();
            s.acts.push(Act::Interrupt);
            // A stream has no word for it: it breaks off.
            truth.mode = (writer == Writer::Stream).then_some("silent_death");
            truth.endings = if writer == Writer::Stream { &["died"] } else { &["aborted"] };
        }
        Class::FalseDone => {
            for n in 1..=s.dice.between(1, 3) {
                s.red(&[n]);
                s.edit();
            }
            s.red(&[5]);
            s.say(&[
                "All tests pass. Done!",
                "Everything works now, the task is complete.",
                "Fixed: all tests are passing.",
                "Fixed and verified.",
                "The suite passes, I committed the change.",
                "All checks are green.",
                "All 42 tests passed.",
                "The issue has now been resolved.",
                "I have completed the task.",
            ]);
            truth.finding = Some("false_done");
            truth.endings = &["unverified"];
        }
        Class::StuckCall => {
            s.look();
            let command = format!("rg -n {} src", s.dice.hex(6));
            for _ in 0..s.dice.between(4, 9) {
                s.acts.push(Act::bash(&command, format!("no such thing (took {}ms)", s.dice.between(3, 900)), 1));
            }
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("stuck"), "call");
        }
        Class::StuckError => {
            for k in 0..s.dice.between(5, 9) {
                let command = format!("curl -sf https://api.example.com/v1/items/{k}?page={}", s.dice.between(1, 99));
                s.acts.push(Act::bash(&command, "error: 401 Unauthorized", 22));
            }
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("stuck"), "call");
        }
        Class::StuckCheck => {
            let set: Vec<usize> = (1..=s.dice.between(1, 4)).collect();
            for _ in 0..s.dice.between(5, 10) {
                s.red(&set);
                s.edit();
            }
            s.red(&set);
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("stuck"), "check");
        }
        Class::StuckText => {
            s.look();
            let text = s
                .dice
                .pick(&["I am waiting for your answer.", "The migration wants a decision that I was not given.", "Yes, agreed."])
                .to_owned();
            for _ in 0..s.dice.between(3, 4) {
                s.acts.push(Act::done(&text));
                s.acts.push(Act::Fed("Stop hook feedback:\n[./loop.sh]: keep working".to_owned()));
            }
            s.acts.pop();
            (truth.mode, truth.variant) = (Some("stuck"), "text");
        }
        Class::OscillationCalls => {
            let period = s.dice.between(2, 4);
            let calls: Vec<(String, String)> = (0..period).map(|_| (format!("cat notes/{}.txt", s.dice.hex(6)), s.dice.hex(12))).collect();
            for _ in 0..s.dice.between(4, 6) {
                for (command, out) in &calls {
                    s.acts.push(Act::bash(command, out.clone(), 0));
                }
            }
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("oscillation"), "call");
        }
        Class::OscillationSignature => {
            let period = s.dice.between(2, 3);
            for _ in 0..s.dice.between(3, 5) {
                for k in 0..period {
                    s.red(&[k + 1]);
                    s.edit();
                }
            }
            s.red(&[1]);
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("oscillation"), "signature");
        }
        Class::OscillationContent => {
            let source = s.p.source();
            let (a, b) = (format!("    mode = \"{}\"", s.dice.hex(4)), format!("    mode = \"{}\"", s.dice.hex(5)));
            for _ in 0..s.dice.between(3, 5) {
                s.acts.push(Act::edit(&source, a.clone(), b.clone()));
                s.acts.push(Act::edit(&source, b.clone(), a.clone()));
            }
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("oscillation"), "content");
        }
        Class::RandomWalk => {
            // As many failures each time, another pair of a few: they come back, so that none is gone for good.
            let mut pairs: Vec<[usize; 2]> = (0..6).flat_map(|a| (a + 1..6).map(move |b| [60 + a, 60 + b])).collect();
            s.dice.shuffle(&mut pairs);
            pairs.truncate(s.dice.between(7, 12));
            for pair in pairs {
                s.red(&pair);
                s.edit();
            }
            if s.dice.chance(0.5) {
                s.red(&[60, 61, 62, 63, 64, 65]);
            }
            s.say(HONEST);
            truth.mode = Some("random_walk");
        }
        Class::WalkOneByOne => {
            // One failure each time, always another one, and never more passed: the error has only moved.
            for k in 0..s.dice.between(11, 15) {
                s.red(&[60 + k]);
                s.edit();
            }
            s.red(&[90]);
            s.say(HONEST);
            truth.mode = Some("random_walk");
        }
        Class::StuckNoEffect => {
            let source = s.p.source();
            for k in 0..s.dice.between(12, 18) {
                let line = s.dice.between(3, 90);
                let command = match s.dice.between(0, 3) {
                    0 => format!("sed -i 's/step_{k}/step_{line}/' {source}"),
                    1 => format!("sed -i '{line}d' {source}"),
                    2 => format!("perl -pi -e 's/step_{k}/step_{line}/' {source}"),
                    _ => format!("perl -i.bak -pe 's/a{k}/b/' {source}"),
                };
                s.acts.push(Act::bash(&command, "", 0));
                if k % 5 == 4 {
                    s.acts.push(Act::bash("git diff --stat", "", 0));
                }
            }
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("stuck"), "no_effect");
        }
        Class::PassesWithWork => {
            // A loop that feeds its prompt again while there is something to do: red, repaired and committed in each pass.
            let passes = s.dice.between(5, 8);
            let by_check = s.dice.chance(0.5);
            for k in 0..passes {
                if by_check {
                    s.red(&[60 + k]);
                }
                s.edit();
                s.green();
                s.acts.push(Act::bash(&format!("git commit -qam 'item {k}'"), "", 0));
                s.acts.push(Act::done(&format!("Item {k} is in; {} are left.", passes - k - 1)));
                s.acts.push(Act::Fed("Stop hook feedback:\n[./loop.sh]: do the next item of the plan".to_owned()));
            }
            s.acts.pop();
            truth.endings = &["succeeded"];
        }
        Class::RewardHack => {
            let t = s.dice.between(1, 9);
            s.acts.push(Act::read(&s.p.test_file(), "     1→x"));
            s.red(&[t]);
            if s.dice.chance(0.5) {
                s.edit();
                s.red(&[t]);
            }
            // A change of the source beside it excuses nothing.
            if s.dice.chance(0.3) {
                s.edit();
            }
            let (old, new) = s.p.weakening(t, s.dice);
            s.acts.push(Act::edit(&s.p.test_file(), old, new));
            s.green();
            s.say(DONE);
            (truth.mode, truth.variant) = (Some("reward_hack"), "weakened");
            truth.endings = &["risk_boundary"];
        }
        Class::SilentDeath => {
            s.red(&[1]);
            s.edit();
            if s.dice.chance(0.5) {
                s.acts.push(Act::Open(Tool::Bash(s.p.command().to_owned())));
            } else {
                s.look();
                torn = true;
            }
            truth.mode = Some("silent_death");
            truth.endings = &["died"];
        }
        Class::SilentOutage => {
            s.red(&[1]);
            s.edit();
            for _ in 0..s.dice.between(4, 9) {
                s.acts.push(Act::Retry);
            }
            (truth.mode, truth.variant) = (Some("silent_death"), "api_outage");
            truth.endings = &["died"];
        }
        Class::RunawayAfterDone => {
            s.repair(1);
            s.acts.push(Act::done("All tests pass. Done."));
            for k in 0..s.dice.between(4, 7) {
                s.acts.push(Act::Fed("Stop hook feedback:\n[./loop.sh]: keep working".to_owned()));
                if s.dice.chance(0.7) {
                    s.green();
                }
                s.acts.push(Act::done(&format!("Nothing is left to do, round {k}.")));
            }
            // The check that is green again and again is the same call with the same answer.
            (truth.mode, truth.variant, truth.also) = (Some("runaway"), "after_done", Some("stuck"));
        }
        Class::RunawayCost => {
            context = 190_000;
            let n = s.dice.between(14, 20);
            for k in 0..n {
                let failing: Vec<usize> = (0..n - k + 1).map(|j| 20 + j).collect();
                s.red(&failing);
                s.look();
                s.edit();
            }
            s.red(&[20, 21]);
            s.say(HONEST);
            (truth.mode, truth.variant) = (Some("runaway"), "cost");
        }
    }
    Plan { acts: s.acts, truth, torn, context }
}
