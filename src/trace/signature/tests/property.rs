//! What must hold for every text. The changing parts are drawn by lot and put into fixed frames.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use crate::trace::signature::normalise::{Level, hashes, normalise};
use crate::trace::signature::{coarse_text, last_line, read, result_key};

/// What changes from run to run, in all its kinds.
#[derive(Clone, Debug)]
struct Volatile {
    stamp: u64,
    millis: u32,
    duration: String,
    line: u32,
    column: u32,
    address: u64,
    root: String,
    temporary: String,
    uuid: u128,
    call: String,
    hash: String,
    pid: u32,
    port: u16,
    seed: u32,
    percent: u8,
    size: u32,
}

impl Volatile {
    /// A date and a time of day without a calendar: the parts are drawn on their own.
    fn iso(&self) -> String {
        let s = self.stamp;
        format!(
            "20{:02}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            20 + s % 9,
            1 + s % 12,
            1 + s % 28,
            s % 24,
            s / 7 % 60,
            s / 11 % 60,
            self.millis
        )
    }

    fn clock(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.stamp % 24, self.stamp / 3 % 60, self.stamp / 5 % 60)
    }

    fn uuid(&self) -> String {
        let h = format!("{:032x}", self.uuid);
        format!("{}-{}-{}-{}-{}", &h[..8], &h[8..12], &h[12..16], &h[16..20], &h[20..])
    }

    /// Lines in which only the volatile parts differ.
    fn frames(&self) -> Vec<String> {
        let v = self;
        vec![
            format!("Error: at {} and {} it broke", v.iso(), v.clock()),
            format!("Error: started {} gone", 1_500_000_000 + v.stamp % 500_000_000),
            format!("Error: started {} gone", (1_500_000_000 + v.stamp % 500_000_000) * 1000 + u64::from(v.millis)),
            format!("Error: after {} of waiting", v.duration),
            format!("FAIL test_login ({})", v.duration),
            format!("auth.py:{}:{}: error: bad name", v.line, v.column),
            format!("src/a.ts({},{}): error TS2345: bad", v.line, v.column),
            format!("Error: File \"a.py\", line {}, column {}", v.line, v.column),
            format!("Error: object at {:#010x} is gone", v.address + 0x10_0000),
            format!("Error: cannot open {}/src/a.py:{}", v.root, v.line),
            format!("FAILED {}/tests/a.py::test_x - no such file", v.root),
            format!("Error: cannot write {}", v.temporary),
            format!("Error: session {} is gone", v.uuid()),
            format!("Error: call {} has no result", v.call),
            format!("Error: checked out {} is dirty", v.hash),
            format!("Error: pid {} died", v.pid),
            format!("Error: cannot bind 127.0.0.1:{}", v.port),
            format!("Error: port {} is in use", v.port),
            format!("Error: shuffled with seed {}", v.seed),
            format!("[{}/99] error at {}% of {} MB", v.percent, v.percent, v.size),
            format!("--- FAIL: TestX/case_3 ({})", v.duration),
            format!("test a::b ... FAILED in {}", v.duration),
        ]
    }
}

fn duration() -> impl Strategy<Value = String> {
    prop_oneof![
        (0u32..100, 0u32..100).prop_map(|(a, b)| format!("{a}.{b:02}s")),
        (0u32..9000).prop_map(|n| format!("{n}ms")),
        (0u32..9000).prop_map(|n| format!("{n} ms")),
        (1u32..60, 0u32..60).prop_map(|(m, s)| format!("{m}m {s}s")),
        (1u32..60, 0u32..60).prop_map(|(m, s)| format!("{m}m{s}s")),
        (1u32..9, 1u32..60, 0u32..60).prop_map(|(h, m, s)| format!("{h}h {m}m {s}s")),
        (0u32..100).prop_map(|n| format!("{n} seconds")),
    ]
}

fn temporary() -> impl Strategy<Value = String> {
    prop_oneof![
        "/tmp/[a-z0-9_]{4,12}",
        "/tmp/[a-z0-9]{4,12}/[a-z0-9]{3,9}",
        "/var/folders/[a-z]{2}/[a-z0-9_]{8,20}/T/[a-z0-9]{6}",
        "/private/tmp/[a-z0-9]{6}"
    ]
}

fn call() -> impl Strategy<Value = String> {
    prop_oneof![
        "toolu_[0-9A-Za-z]{6,24}",
        "chatcmpl-[0-9A-Za-z]{6,24}",
        "(req|msg|call)_[0-9]{6,14}",
        "(req|msg|call)_[0-9][A-Z][a-z]{2}[0-9][A-Z][a-z]{2}[0-9a-zA-Z]{8}",
    ]
}

/// A hash has letters and digits; those that read as a word with a number behind it are names.
fn hash() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9][0-9a-f]{5}[a-f][0-9a-f]{0,30}", "[a-f][0-9][0-9a-f]{6,30}", "[0-9a-f]{19}[0-9][a-f]{20}"]
}

fn volatile() -> impl Strategy<Value = Volatile> {
    let first = (any::<u32>(), 0u32..1000, duration(), 1u32..99_999, 1u32..999, 0u64..u64::MAX / 2);
    let second = ("/[a-z]{1,8}/[a-z0-9_]{2,8}", temporary(), any::<u128>(), call(), hash());
    let third = (1u32..99_999, 1024u16..65_535, any::<u32>(), 0u8..100, 1u32..9999);
    (first, second, third).prop_map(|(a, b, c)| Volatile {
        stamp: u64::from(a.0),
        millis: a.1,
        duration: a.2,
        line: a.3,
        column: a.4,
        address: a.5,
        root: b.0,
        temporary: b.1,
        uuid: b.2,
        call: b.3,
        hash: b.4,
        pid: c.0,
        port: c.1,
        seed: c.2,
        percent: c.3,
        size: c.4,
    })
}

/// A test's id in the forms that runners give it.
fn test_id() -> impl Strategy<Value = String> {
    prop_oneof![
        "test_[a-z]{1,6}[0-9]{0,3}",
        "tests/[a-z]{1,5}\\.py::test_[a-z0-9]{1,6}\\[[a-z0-9-]{1,6}\\]",
        "Test[A-Z][a-z]{1,5}/case_[0-9]{1,3}",
        "[a-z]{2,5}[0-9]\\.spec\\.ts",
        "[a-z]{1,5}::[a-z]{1,5}::[a-z]{1,5}[0-9]{0,2}",
    ]
}

/// Words that could stand in a log, with everything that the scanner has a handler for.
fn messy() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zA-Z]{1,9}",
        "[0-9]{1,14}",
        "[0-9a-f]{6,12}",
        "[a-z]{1,5}[0-9]{1,4}",
        Just("line".to_owned()),
        Just("pid".to_owned()),
        Just("commit".to_owned()),
        Just("/tmp/".to_owned()),
        Just("/w/p".to_owned()),
        Just("C:\\".to_owned()),
        Just("a.py".to_owned()),
        Just("HTTP".to_owned()),
        Just("Nov".to_owned()),
        Just("ms".to_owned()),
        Just("<time>".to_owned()),
        Just("›".to_owned()),
        Just("test_x".to_owned()),
        Just("::".to_owned()),
    ];
    let sep = prop_oneof![
        Just(" "),
        Just("  "),
        Just(":"),
        Just("."),
        Just("-"),
        Just("/"),
        Just("["),
        Just("]"),
        Just("("),
        Just(")"),
        Just(","),
        Just("="),
        Just("%"),
        Just("#"),
        Just("\t"),
        Just("")
    ];
    proptest::collection::vec((word, sep), 0..14).prop_map(|parts| {
        parts.into_iter().fold(String::new(), |mut out, (w, s)| {
            let _ = write!(out, "{w}{s}");
            out
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_changes_from_run_to_run_does_not_matter(a in volatile(), b in volatile()) {
        for (x, y) in a.frames().iter().zip(b.frames()) {
            let (p, q) = (read(x.as_bytes(), &[&a.root]), read(y.as_bytes(), &[&b.root]));
            prop_assert_eq!(p.fine(), q.fine(), "fine: {} | {}", x, y);
            prop_assert_eq!(p.coarse(), q.coarse(), "coarse: {} | {}", x, y);
            let keys = |r: &super::Reading| r.failures.iter().map(|f| f.key).collect::<Vec<_>>();
            prop_assert_eq!(keys(&p), keys(&q), "key: {} | {}", x, y);
            prop_assert_eq!(coarse_text(x.as_bytes(), &[&a.root]), coarse_text(y.as_bytes(), &[&b.root]));
        }
    }

    #[test]
    fn another_id_is_another_failure(a in test_id(), b in test_id()) {
        prop_assume!(a != b);
        for frame in ["FAIL {}", "FAILED {}", "FAILED {} - assert 1 == 2", "not ok 3 - {}", "✗ {}", "● {}", "FAIL \"{}\""] {
            let (x, y) = (frame.replace("{}", &a), frame.replace("{}", &b));
            let (p, q) = (read(x.as_bytes(), &[]), read(y.as_bytes(), &[]));
            prop_assert_ne!(p.coarse(), q.coarse(), "{} | {}", x, y);
            prop_assert_ne!(p.fine(), q.fine());
            prop_assert_ne!(p.failures[0].key, q.failures[0].key);
        }
    }

    #[test]
    fn another_code_is_another_failure(a in 100u32..9999, b in 100u32..9999) {
        prop_assume!(a != b);
        for frame in ["error[E{:04}]: bad", "a.ts(1,2): error TS{}: bad", "a.py:1:2: E{} bad", "a.cs(1,2): error CS{}: bad", "Error: exit code {}", "Error: errno {}"] {
            let put = |n: u32| frame.replace("{:04}", &format!("{n:04}")).replace("{}", &n.to_string());
            let (x, y) = (put(a), put(b));
            prop_assert_ne!(read(x.as_bytes(), &[]).coarse(), read(y.as_bytes(), &[]).coarse(), "{} | {}", x, y);
        }
    }

    #[test]
    fn a_free_number_is_fine_but_not_coarse(a in -9999i32..99_999, b in -9999i32..99_999, x in 0.1f64..99.0) {
        prop_assume!(a != b);
        for frame in ["FAIL step {}", "expected {} got 7", "FAILED t/a.py::test_x - assert {} == 7", "FAIL test_a3 expected {} items", "Error: ({}) is wrong", "Error: value={}, stop", "● login › works: expected {}"] {
            let (p, q) = (frame.replace("{}", &a.to_string()), frame.replace("{}", &b.to_string()));
            let (r, s) = (read(p.as_bytes(), &[]), read(q.as_bytes(), &[]));
            prop_assert_eq!(r.coarse(), s.coarse(), "{} | {}", p, q);
            prop_assert_ne!(r.fine(), s.fine(), "{} | {}", p, q);
            let fraction = frame.replace("{}", &x.to_string());
            prop_assert_eq!(r.coarse(), read(fraction.as_bytes(), &[]).coarse(), "{} | {}", p, fraction);
        }
    }

    #[test]
    fn the_order_of_lines_does_not_matter(ids in proptest::collection::vec(test_id(), 2..9), turn in 0usize..9) {
        let lines: Vec<String> = ids.iter().map(|id| format!("FAILED {id} - assert 1 == 2")).collect();
        let mut turned = lines.clone();
        turned.rotate_left(turn % lines.len());
        let (p, q) = (read(lines.join("\n").as_bytes(), &[]), read(turned.join("\n").as_bytes(), &[]));
        prop_assert_eq!(p.coarse(), q.coarse());
        prop_assert_eq!(p.fine(), q.fine());
    }

    #[test]
    fn normalising_twice_changes_nothing(text in messy()) {
        for level in [Level::Result, Level::Fine, Level::Coarse] {
            let (mut once, mut twice) = (Vec::new(), Vec::new());
            normalise(text.as_bytes(), 0..0, level, &[], &mut once);
            normalise(&once, 0..0, level, &[], &mut twice);
            prop_assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "{:?}: {}", level, text);
        }
    }

    #[test]
    fn one_pass_gives_what_two_would(text in messy()) {
        let mut scratch = Vec::new();
        let (_, coarse) = hashes(text.as_bytes(), 7, &["/w/p"], &mut scratch);
        let mut other = Vec::new();
        normalise(text.as_bytes(), 0..0, Level::Coarse, &["/w/p"], &mut other);
        prop_assert_eq!(coarse, xxhash_rust::xxh3::xxh3_64_with_seed(&other, 7), "{}", text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), lines in proptest::collection::vec(messy(), 0..6)) {
        let text = lines.join("\n");
        for input in [&bytes[..], text.as_bytes()] {
            let r = read(input, &["/w/p", ""]);
            for f in &r.failures {
                prop_assert!(f.span.0 <= f.span.1 && f.span.1 as usize <= input.len());
            }
            let _ = (r.fine(), r.coarse(), result_key(input, &["/w/p"]), last_line(input, &[], Some(1)), coarse_text(input, &[]));
        }
    }

    #[test]
    fn marked_lines_never_panic(mark in "(FAILED|FAIL:|ERROR|E  |not ok|●|✕|❌|thread '|--- FAIL:|----|\\[ERROR\\]|____|error\\[|1\\)|3/5 Test|\\[  FAILED  \\]|rspec|npm ERR!|Tests:|Tests run:|=|#|✖)", rest in messy(), more in messy()) {
        let text = format!("{mark} {rest}\n{mark}{rest}\n  {more}\nE  {more}\n");
        let _ = (read(text.as_bytes(), &[]).coarse(), coarse_text(text.as_bytes(), &[]));
        for line in text.lines() {
            let _ = read(line.as_bytes(), &[]).fine();
        }
    }
}

/// Long lines of every sort that could make a scanner look back or ahead again and again. A quadratic one would
/// take minutes.
#[test]
fn time_grows_with_the_length_only() {
    for unit in [
        "a",
        "1",
        "1:",
        "/a",
        "[/",
        "1.",
        "a.b:1",
        "'",
        "\"",
        "::",
        "[1/",
        "1m",
        "1d ",
        "line ",
        "/tmp/a ",
        "toolu_",
        "deadbee1-",
        "FAILED a::",
        "\x1b[",
        " - ",
        ": ",
        "1 ",
        "a b ",
        "=",
        "(",
        "error",
        "C:\\",
        "1,",
        "\r",
    ] {
        let line = unit.repeat(300_000 / unit.len());
        let start = Instant::now();
        let _ = read(line.as_bytes(), &["/w/p"]).coarse();
        let _ = result_key(line.as_bytes(), &["/w/p"]);
        let _ = coarse_text(line.as_bytes(), &["/w/p"]);
        assert!(start.elapsed() < Duration::from_secs(120), "{unit:?} took {:?}", start.elapsed());
    }
}
