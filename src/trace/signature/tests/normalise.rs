use crate::trace::signature::normalise::{Level, normalise};
use crate::trace::signature::{coarse_text, result_key, text};

fn at(level: Level, line: &str, roots: &[&str]) -> String {
    let mut out = Vec::new();
    normalise(line.as_bytes(), 0..0, level, roots, &mut out);
    // The marks around free numbers are for the coarse form only.
    out.retain(|b| !matches!(b, 1 | 2));
    String::from_utf8(out).expect("what comes out is text")
}

fn fine(line: &str) -> String {
    at(Level::Fine, line, &[])
}

fn coarse(line: &str) -> String {
    at(Level::Coarse, line, &[])
}

fn result(line: &str) -> String {
    at(Level::Result, line, &[])
}

/// Each line with what must come out of it at the fine level.
fn all_fine(cases: &[(&str, &str)]) {
    for (line, want) in cases {
        assert_eq!(fine(line), *want, "{line}");
    }
}

fn all_coarse(cases: &[(&str, &str)]) {
    for (line, want) in cases {
        assert_eq!(coarse(line), *want, "{line}");
    }
}

#[test]
fn times() {
    all_fine(&[
        ("at 2026-11-29T08:00:00Z done", "at <time> done"),
        ("at 2026-11-29T08:00:00.123456+02:00 done", "at <time> done"),
        ("2026-11-29 08:00:00,123 ERROR x", "<time> ERROR x"),
        ("2026-11-29 08:00:00 +0000 x", "<time> x"),
        ("on 2026/11/29 only", "on <time> only"),
        ("08:15:59 x", "<time> x"),
        ("[08:15:59.001] x", "[<time>] x"),
        ("8:15:59 PM x", "<time> x"),
        ("Sat, 29 Nov 2026 08:00:00 GMT: x", "<time>: x"),
        ("Sat Nov 29 08:00:00 2026 x", "<time> x"),
        ("Nov 29 08:00:00 host app[812]: x", "<time> host app[#]: x"),
        ("Dec 5 08:00:00 x", "<time> x"),
        ("5-Feb-2026 x", "<time> x"),
        ("29/11/2026 08:00 x", "<time> x"),
        ("ts=1764403200 x", "ts=<time> x"),
        ("ts=1764403200123 x", "ts=<time> x"),
        ("ts=1764403200.25 x", "ts=<time> x"),
        ("stamp 20261129T080000Z", "stamp <time>"),
        // No times: a month alone, a number that is out of range, a date inside a file's name.
        ("May 5 tests fail", "May 5 tests fail"),
        ("id 9764403200", "id 9764403200"),
        ("report-2026-11-29.txt", "report-2026-11-29.txt"),
    ]);
}

#[test]
fn durations() {
    all_fine(&[
        ("passed in 0.53s", "passed in <duration>"),
        ("took 1m 3s", "took <duration>"),
        ("took 1m3s", "took <duration>"),
        ("took 1h2m3.5s.", "took <duration>."),
        ("took 2 minutes and 5 seconds", "took <duration>"),
        ("after 12 ms", "after <duration>"),
        ("after 5000ms", "after <duration>"),
        ("in 1.2 seconds", "in <duration>"),
        ("in 12µs", "in <duration>"),
        ("(0.00s)", "(<duration>)"),
        ("a 3d model", "a 3d model"),
        ("up 3d 4h", "up <duration>"),
        ("5 students", "5 students"),
    ]);
    assert_eq!(result("elapsed 12s, 40% of 3 MB"), "elapsed <duration>, 40% of 3 MB");
}

#[test]
fn ids_and_hashes() {
    all_fine(&[
        ("run 6ba7b810-9dad-11d1-80b4-00c04fd430c8 x", "run <uuid> x"),
        ("session_6ba7b810-9dad-11d1-80b4-00c04fd430c8", "session_<uuid>"),
        ("object at 0x7f3a2b1c9d00>", "object at <addr>>"),
        ("main.f(0xc000012345) +0x1d", "main.f(<addr>) +<addr>"),
        ("commit 3f2a9bc", "commit <hash>"),
        ("commit 1234567", "commit <hash>"),
        ("HEAD is now at 3f2a9bc4d5e6f708192a3b4c5d6e7f8091a2b3c4 x", "HEAD is now at <hash> x"),
        ("3f2a9bc..77aa01e", "<hash>..<hash>"),
        ("deps/app-1a2b3c4d5e6f7a8b", "deps/app-<hash>"),
        ("call toolu_01AbCdEfGhIjKlMn failed", "call <id> failed"),
        ("call call_9fA2kLm3QpZx77Tt failed", "call <id> failed"),
        ("req_011CQ9a8b7c6d5e4 failed", "<id> failed"),
        ("msg_00001000001", "<id>"),
        ("chatcmpl-9f8a-77bX is", "<id> is"),
        // Words of hex letters, codes and names are none of these.
        ("deadbeef facade added decade", "deadbeef facade added decade"),
        ("decade2020 face2face", "decade2020 face2face"),
        ("error BC30451", "error BC30451"),
        ("call_order req_handler msg_type2 call_sha256", "call_order req_handler msg_type2 call_sha256"),
        ("main.3f2a9bc.js", "main.3f2a9bc.js"),
        ("value 0x10", "value 0x10"),
    ]);
}

#[test]
fn places() {
    all_fine(&[
        ("auth.py:12:5: bad", "auth.py:#: bad"),
        ("auth.py:12: bad", "auth.py:#: bad"),
        ("src/a.ts(12,5): bad", "src/a.ts(#): bad"),
        ("/p/A.java:[12,5] bad", "/p/A.java:[#] bad"),
        ("File \"a.py\", line 12, in f", "File \"a.py\", line #, in f"),
        ("lines 12-15 x", "lines # x"),
        ("line 1 column 7 (char 6)", "line # column # (char #)"),
        ("at f (src/a.js:12:5)", "at f (src/a.js:#)"),
        ("a.py#L12", "a.py#L#"),
        ("  12:5 error x", " 12:5 error x"),
        ("12:5 error x", "#:# error x"),
        // A call's arguments are no place, and a name's number is not one either.
        ("obj.method(12, 5)", "obj.method(12, 5)"),
        ("auth2.spec.ts", "auth2.spec.ts"),
        ("src/v2/a10.ts", "src/v2/a10.ts"),
    ]);
}

#[test]
fn processes_ports_seeds() {
    all_fine(&[
        ("pid 812 gone", "pid # gone"),
        ("pid=812", "pid=#"),
        ("process 812 x", "process # x"),
        ("connect 127.0.0.1:53412", "connect 127.0.0.1:#"),
        ("connect localhost:53412", "connect localhost:#"),
        ("connect [::1]:53412", "connect [::1]:#"),
        ("http://db.local:5432/x", "http://db.local:#/x"),
        ("port 53412 in use", "port # in use"),
        ("port: 53412", "port: #"),
        ("seed 42", "seed #"),
        ("--random_seed=42", "--random_seed=#"),
        ("PYTHONHASHSEED=42", "PYTHONHASHSEED=#"),
        ("==812== Invalid read", "==#== Invalid read"),
        ("thread 'main' (812) panicked", "thread 'main' (#) panicked"),
    ]);
}

#[test]
fn temporary_paths() {
    all_fine(&[
        ("open /tmp/tmpa1b2c3/x", "open <tmp>"),
        ("open /tmp/run-77/report.xml now", "open <tmp>/report.xml now"),
        ("/var/folders/zz/k3_9/T/x.sock", "<tmp>/x.sock"),
        ("/scratch/pytest-of-me/pytest-12/test_a0/out.txt", "<tmp>/out.txt"),
        (r"C:\Users\me\AppData\Local\Temp\q7\out.txt", r"<tmp>\out.txt"),
        (r"%TEMP%\q7\out.txt", r"<tmp>\out.txt"),
        ("$TMPDIR/q7/out.txt", "<tmp>/out.txt"),
        ("/tmp/x1/auth.py:12: bad", "<tmp>/auth.py:#: bad"),
        ("/home/ann/p/a.py", "~/p/a.py"),
        (r"C:\Users\ann\p\a.py", r"~\p\a.py"),
        ("src/tmp/a.py", "src/tmp/a.py"),
    ]);
}

#[test]
fn roots_are_left_out() {
    let roots = ["/w/p", "/w/p/deep/", r"C:\work"];
    let strip = |line: &str| at(Level::Fine, line, &roots);
    assert_eq!(strip("/w/p/src/a.py:3: x"), "src/a.py:#: x");
    assert_eq!(strip("(/w/p/deep/a.py)"), "(a.py)");
    assert_eq!(strip("file:///w/p/src/a.js"), "file://src/a.js");
    assert_eq!(strip(r"in C:\work\auth.spec.ts"), "in auth.spec.ts");
    assert_eq!(strip("cd /w/p && make"), "cd . && make");
    assert_eq!(strip("/w/pages/a.py"), "/w/pages/a.py");
    assert_eq!(strip("/x/w/p/a.py"), "/x/w/p/a.py");
}

#[test]
fn progress_and_sizes() {
    all_fine(&[
        ("[3/12] Compiling", "[#/#] Compiling"),
        ("[ 33%] Building", "[#%] Building"),
        ("80% done", "#% done"),
        ("12.5 MB of 3 GiB", "<size> of <size>"),
        ("read 120 bytes", "read <size>"),
    ]);
    assert_eq!(result("[3/12] 80% of 12.5 MB"), "[3/12] 80% of 12.5 MB");
}

#[test]
fn free_numbers_are_coarse_only() {
    let line = "expected 200 got 401";
    assert_eq!(fine(line), line);
    all_coarse(&[
        ("expected 200 got 401", "expected # got #"),
        ("expected -1, got 3.5e-07", "expected #, got #"),
        ("FAIL step 7", "FAIL step #"),
        ("1,234 of 5 files", "# of # files"),
        ("[1,234]", "[#,#]"),
        ("assert 3 == 4", "assert # == #"),
        ("width 12px", "width #px"),
        ("'3' is not '4'", "'#' is not '#'"),
        ("x=5", "x=#"),
        ("index 5 of arr[7]", "index # of arr[#]"),
    ]);
}

#[test]
fn names_keep_their_numbers() {
    for line in [
        "test_a12 utf-8 case/3 pkg@1.2.3 v1.2",
        "TestX/case_3 test_x[3-foo] test_x[3]",
        "auth2.spec.ts 10-foo.py 2.spec.ts",
        "E0308 TS2345 KeyError CVE-2024-1234 RUSTSEC-2024-0001 ORA-00942",
        "HTTP 404 / HTTP/1.1 404 / status 500 / status code: 503 / 404 Not Found",
        "[Errno 13] exit code 2 signal 11 (os error 2) Error 2",
        "needs node 18.2.0 and 10.0.0.7",
        "a::b[3] 4xx 3rd",
    ] {
        assert_eq!(coarse(line), line);
    }
    assert_eq!(coarse("Error: 5 tests failed"), "Error: # tests failed");
    assert_eq!(coarse("HTTP error: 404"), "HTTP error: 404");
}

#[test]
fn marks_in_a_text_are_no_numbers() {
    assert_eq!(coarse("a \u{1}b\u{2} c"), "a b c");
    assert!(super::same_coarse("Error: a \u{1}b", "Error: a b"));
    assert!(!super::same_coarse("Error: \u{1} a", "Error: \u{1} b"));
}

#[test]
fn cleaning() {
    let clean = |raw: &[u8]| {
        let mut buf = Vec::new();
        String::from_utf8(text::clean(raw, &mut buf).to_vec()).expect("clean text is UTF-8")
    };
    assert_eq!(clean(b"\x1b[31mFAIL\x1b[0m a\r"), "FAIL a");
    assert_eq!(clean(b"10%\r50%\r100% done\r\r"), "100% done");
    assert_eq!(clean(b"\x1b]8;;http://x\x07link\x1b]8;;\x1b\\ y"), "link y");
    assert_eq!(clean(b"\x1b(Bx\x1b=y"), "xy");
    assert_eq!(clean(b"bad \xff byte"), "bad \u{fffd} byte");
    assert_eq!(clean(b"\x1b[3"), "");
}

#[test]
fn coarse_text_keeps_names() {
    let text = |s: &str| coarse_text(s.as_bytes(), &[]);
    assert_eq!(text("FAIL test \"login › returns 200\" in 3 of 4"), "FAIL test \"login › returns 200\" in # of #");
    assert_eq!(text("FAILED t/a.py::test_x[a 3 - b] - assert 3 == 4"), "FAILED t/a.py::test_x[a 3 - b] - assert # == #");
    assert_eq!(text("\x1b[31m● login › returns 200 (5 ms)\x1b[0m"), "● login › returns 200 (<duration>)");
    assert_eq!(text("FAIL step 7"), "FAIL step #");
    assert_eq!(coarse_text(b"FAILED /w/p/t/a.py::test_x", &["/w/p"]), "FAILED t/a.py::test_x");
}

#[test]
fn result_keys() {
    let key = |s: &str| result_key(s.as_bytes(), &["/w/p"]);
    assert_eq!(key("in_progress at 08:00:01\nroot /w/p/a"), key("in_progress at 09:11:59\nroot a"));
    assert_ne!(key("in_progress 7%"), key("in_progress 14%"));
    assert_ne!(key("3 of 9"), key("4 of 9"));
    assert_ne!(key("10 MB"), key("12 MB"));
    // Line ends do not matter, what stands on them does.
    assert_eq!(key("a\r\nb\r\n"), key("a\nb"));
    assert_ne!(key("a\nb"), key("ab"));
    assert_ne!(key("a\nb"), key("b\na"));
    // Past the size at which the hasher is fed in pieces.
    let long = "one line of output, number 7\n".repeat(5000);
    assert_eq!(key(&long), key(&long.replace('\n', "\r\n")));
    assert_ne!(key(&long), key(&format!("{long}8")));
}

/// A logger's stamp in front of a runner's line is no part of the failure.
#[test]
fn stamps_in_front_do_not_count() {
    let plain = crate::trace::signature::read(b"test orders::tests::counts ... FAILED", &[]);
    for stamp in ["[18:21:49] ", "18:21:49.512 ", "2026-11-29T18:21:49Z ", "[2026-11-29 18:21:49,001] ", "2026-11-29 18:21:49 "] {
        let dated = crate::trace::signature::read(format!("{stamp}test orders::tests::counts ... FAILED").as_bytes(), &[]);
        assert_eq!((dated.coarse(), dated.failures[0].key), (plain.coarse(), plain.failures[0].key), "{stamp}");
    }
    let jest = |stamp: &str, title: &str| {
        crate::trace::signature::read(format!("{stamp}● Invoice › {title}\n    at Object.<anonymous> (src/a.test.ts:4:2)").as_bytes(), &[])
            .coarse()
    };
    assert_eq!(jest("[15:42:45] ", "rounds 11 slugs"), jest("[02:34:31] ", "rounds 11 slugs"));
    assert_ne!(jest("[15:42:45] ", "rounds 11 slugs"), jest("[15:42:45] ", "locks 6 labels"));
}
