//! Expected values are worked out by hand from the rules, not copied from what the code printed.

mod errors;
mod infra;
mod names;
mod normalise;
mod others;
mod property;
mod python;
mod rust_go;
mod summary;

use super::{Reading, read};

/// Reads without workspace roots.
fn plain(text: &str) -> Reading {
    read(text.as_bytes(), &[])
}

/// The lines that were taken for failures.
fn lines(text: &str) -> Vec<&str> {
    plain(text).failures.iter().map(|f| text[f.span.0 as usize..f.span.1 as usize].trim()).collect()
}

fn same_coarse(a: &str, b: &str) -> bool {
    plain(a).coarse() == plain(b).coarse()
}

fn same_fine(a: &str, b: &str) -> bool {
    plain(a).fine() == plain(b).fine()
}

fn same_keys(a: &str, b: &str) -> bool {
    let keys = |t: &str| {
        let mut k: Vec<u64> = plain(t).failures.iter().map(|f| f.key).collect();
        k.sort_unstable();
        k
    };
    keys(a) == keys(b)
}
