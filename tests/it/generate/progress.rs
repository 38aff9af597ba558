//! Red iterations of a run that gets on, by the rules for gain.

use super::dice::Dice;
use super::failure::{Failure, Pool};
use super::plan::Step;

/// What the log knows of the failing tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// One failing line at a time.
    Line,
    /// A line and the number of failing tests.
    Count,
    /// Every failing test.
    Set,
}

/// `n` red iterations that gain, with at most `plateau` in a row without a new
/// best where the number is known; the last one is a new best.
pub(super) fn reds(n: usize, known: Known, plateau: usize, pool: &mut Pool, dice: &mut Dice) -> Vec<Step> {
    match known {
        Known::Line => lines(n, pool, dice).iter().map(Step::red).collect(),
        Known::Count if dice.chance(0.2) => one_first_line(n, pool, dice),
        Known::Count => {
            let counts = falling(n, plateau, dice);
            lines(n, pool, dice).iter().zip(counts).map(|(failure, count)| Step::red(failure).counted(count)).collect()
        }
        Known::Set => sets(&falling(n, plateau, dice), pool, dice),
    }
}

/// First lines of a run that gets on: mostly new ones, now and then the same
/// twice, and at most one clean rollback (A B A).
pub(super) fn lines(n: usize, pool: &mut Pool, dice: &mut Dice) -> Vec<Failure> {
    let mut out: Vec<Failure> = Vec::with_capacity(n);
    let mut rolled_back = false;
    // The first one after a repeat or a rollback is always new, so that no
    // cycle and no row of three can come about.
    let mut calm = 0;
    for at in 0..n {
        let next = match (at.checked_sub(1).map(|i| out[i].clone()), calm) {
            (Some(last), 1..) if dice.chance(0.15) => {
                calm = 0;
                last
            }
            (Some(_), 2..) if !rolled_back && dice.chance(0.12) => {
                rolled_back = true;
                calm = 0;
                out[at - 2].clone()
            }
            _ => {
                calm += 1;
                pool.fresh(dice)
            }
        };
        out.push(next);
    }
    out
}

/// Numbers of failing tests that fall on the whole.
pub(super) fn falling(n: usize, plateau: usize, dice: &mut Dice) -> Vec<usize> {
    let mut best = 2 * n + dice.between(2, 12);
    let mut since_best = 0;
    let mut out = Vec::with_capacity(n);
    for at in 0..n {
        // Five reds in a row must not pass without gain at the start either.
        let most = if at < 5 { plateau.min(3) } else { plateau };
        if at == 0 {
            out.push(best);
        } else if since_best >= most || at + 1 == n || dice.chance(0.5) {
            best -= dice.between(1, 2);
            since_best = 0;
            out.push(best);
        } else {
            since_best += 1;
            out.push(best + dice.between(0, 3));
        }
    }
    out
}

/// The runner sorts its output: the first failing test stays the first while
/// those behind it are fixed one by one.
fn one_first_line(n: usize, pool: &mut Pool, dice: &mut Dice) -> Vec<Step> {
    let failure = pool.fresh(dice);
    falling(n, 0, dice).into_iter().map(|count| Step::red(&failure).counted(count)).collect()
}

/// Failing sets of the given sizes: in each iteration something is fixed for
/// good, and where the size does not fall, something else has appeared.
fn sets(sizes: &[usize], pool: &mut Pool, dice: &mut Dice) -> Vec<Step> {
    let mut set: Vec<Failure> = Vec::new();
    let mut out = Vec::with_capacity(sizes.len());
    for (at, &size) in sizes.iter().enumerate() {
        if at > 0 {
            let gone = set.len().saturating_sub(size).max(1);
            for _ in 0..gone.min(set.len()) {
                set.remove(dice.between(0, set.len() - 1));
            }
        }
        while set.len() < size {
            set.push(pool.fresh(dice));
        }
        set.sort_by(|a, b| a.key.cmp(&b.key));
        let mut step = Step::red(&set[0]).counted(size);
        step.set = set.clone();
        out.push(step);
    }
    out
}
