//! The generator keeps its own promises.

mod json;
mod logs;
mod plans;

use super::{AS_OF, Class, case, civil, describe, line, mixed};

#[test]
fn equal_seeds_give_equal_bytes() {
    for &class in Class::ALL {
        for seed in [0, 1, 77] {
            let (one, other) = (case(class, seed), case(class, seed));
            assert_eq!(one.files, other.files, "{}", one.name);
            assert_eq!(one.as_of, AS_OF);
        }
    }
}

#[test]
fn seeds_and_classes_differ() {
    let mut logs = Vec::new();
    for &class in Class::ALL {
        for seed in 0..20 {
            logs.push(case(class, seed).files.swap_remove(0).1);
        }
    }
    let all = logs.len();
    logs.sort();
    logs.dedup();
    assert_eq!(logs.len(), all);
}

#[test]
fn names_and_descriptions_are_told_apart() {
    assert_eq!(Class::ALL.len(), 28);
    assert_eq!(Class::SilentDeathApiOutage.name(), "silent_death_api_outage");
    let mut texts: Vec<&str> = Class::ALL.iter().map(|&class| describe(class)).collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), Class::ALL.len());
    assert_ne!(mixed(Class::Running, 3), mixed(Class::Aborted, 3));
}

#[test]
fn times_are_written_as_the_calendar_has_them() {
    // Worked out with date(1): a leap day, and the observation time.
    assert_eq!(civil::rfc3339(1_709_251_198_000, 0, 0), "2024-02-29T23:59:58Z");
    assert_eq!(civil::rfc3339(AS_OF * 1000, 0, 0), "2026-11-29T08:00:00Z");
    assert_eq!(civil::rfc3339(AS_OF * 1000 + 7, 120, 3), "2026-11-29T10:00:00.007+02:00");
    assert_eq!(civil::rfc3339(AS_OF * 1000, -300, 6), "2026-11-29T03:00:00.000000-05:00");
}

#[test]
fn strings_are_escaped_where_a_logger_escapes() {
    assert_eq!(line::quoted("a\"b\\\t\u{1b}", false), "\"a\\\"b\\\\\\t\\u001b\"");
    assert_eq!(line::quoted("é›", true), "\"\\u00e9\\u203a\"");
    assert_eq!(line::quoted("é›", false), "\"é›\"");
}
