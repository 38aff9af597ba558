//! The logger of one run, its habits and its faults.

use super::dice::Dice;
use super::plan::{End, Money, Plan, Silence, Stop};

/// How a record's time is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    Seconds,
    Millis,
    Micros,
    Float,
    /// RFC 3339 at an offset in minutes, with so many decimals.
    Text(i64, usize),
}

/// When the loop runs its check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// No `check` events: a call of the agent says that the check was red.
    Unlogged,
    /// At the start of an iteration; the call that follows is to fix it.
    Before,
    /// At the end; the next iteration's call is to fix it.
    After,
}

/// Where the log says what the run cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spend {
    Nowhere,
    /// `cost_usd` on the agent's call.
    OnCall,
    /// `model_call` events with a known model's tokens and their price.
    Priced,
    /// As `Priced`, without the price.
    TokensOnly,
    /// `model_call` events of a model that no price list knows.
    Unpriced,
}

/// The second witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beat {
    Absent,
    /// One line, rewritten.
    Last,
    /// One JSON object, rewritten.
    LastJson,
    /// A line each.
    Appended,
    /// A JSON line each.
    AppendedJson,
}

/// All that is drawn about the logger.
#[derive(Clone, Debug)]
pub(super) struct Knobs {
    pub stamp: Stamp,
    /// Fields beyond the minimal four.
    pub extended: bool,
    /// Puts the detail into the line as it is.
    pub raw_details: bool,
    pub checks: Checks,
    pub spend: Spend,
    pub beat: Beat,
    /// Ordinary tool calls are logged.
    pub tools: bool,
    /// The agent runs the check itself, too.
    pub own_checks: bool,
    /// Arguments are logged as a hash.
    pub hashed_args: bool,
    pub shuffled_keys: bool,
    pub blanks: bool,
    pub ascii_only: bool,
    pub extra_fields: bool,
    pub extra_events: bool,
    pub signatures: bool,
    pub run_field: bool,
    pub commits: bool,
    /// Check and call fall into the second in which the iteration starts.
    pub instant: bool,
    pub colours: bool,
    /// The detail begins with the progress line that it overwrote.
    pub progress_line: bool,
    pub clock_prefix: bool,
    pub state_file: bool,
    pub status_file: bool,
    pub faults: Faults,
}

/// What goes wrong in the file itself.
#[derive(Clone, Debug)]
pub(super) struct Faults {
    pub crlf: bool,
    pub bom: bool,
    pub garbage: bool,
    pub duplicates: bool,
    pub swaps: bool,
    pub torn_tail: bool,
    pub latin1: bool,
    /// Something is still logged after the record that ends the run.
    pub epilogue: bool,
}

impl Knobs {
    /// Draws a logger that can say what the plan needs said.
    pub(super) fn draw(plan: &Plan, dice: &mut Dice) -> Self {
        let needs = plan.needs;
        let money_known = matches!(needs.money, Money::About(_));
        let extended = needs.extended || needs.checks || money_known || plan.has_counts() || plan.has_calls() || dice.chance(0.45);
        let raw_details = !extended && dice.chance(0.6);
        let checks = Self::draw_checks(plan, extended, dice);
        let tools = extended && (plan.has_calls() || dice.chance(0.5));
        let stamp = dice.pick_copy(&[
            Stamp::Seconds,
            Stamp::Seconds,
            Stamp::Seconds,
            Stamp::Millis,
            Stamp::Micros,
            Stamp::Float,
            Stamp::Text(0, 0),
            Stamp::Text(0, 3),
            Stamp::Text(120, 0),
            Stamp::Text(-300, 6),
        ]);
        Self {
            stamp,
            extended,
            raw_details,
            checks,
            spend: Self::draw_spend(needs.money, extended, dice),
            beat: Self::draw_beat(plan, dice),
            tools,
            own_checks: tools && dice.chance(0.25),
            hashed_args: dice.chance(0.25),
            shuffled_keys: !raw_details && dice.chance(0.2),
            blanks: dice.chance(0.4),
            ascii_only: dice.chance(0.3),
            extra_fields: !raw_details && dice.chance(0.25),
            extra_events: dice.chance(0.3),
            signatures: extended && dice.chance(0.15),
            run_field: extended && dice.chance(0.3),
            commits: extended && needs.commits && dice.chance(0.4),
            instant: dice.chance(0.5),
            colours: dice.chance(0.1),
            progress_line: dice.chance(0.05),
            // A prefix hides a test id's place from simple readers, and with it
            // the number that alone tells twins apart.
            clock_prefix: !plan.has_twins() && dice.chance(0.06),
            state_file: dice.chance(0.25),
            status_file: dice.chance(0.1),
            faults: Faults::draw(plan, stamp, dice),
        }
    }

    fn draw_checks(plan: &Plan, extended: bool, dice: &mut Dice) -> Checks {
        if !extended {
            Checks::Unlogged
        } else if plan.needs.checks || plan.has_sets() {
            dice.pick_copy(&[Checks::Before, Checks::After])
        } else {
            dice.pick_copy(&[Checks::Unlogged, Checks::Before, Checks::After])
        }
    }

    fn draw_spend(money: Money, extended: bool, dice: &mut Dice) -> Spend {
        const KNOWN: &[Spend] = &[Spend::OnCall, Spend::Priced, Spend::TokensOnly, Spend::Unpriced];
        match money {
            Money::Unknown => Spend::Nowhere,
            Money::About(_) => dice.pick_copy(KNOWN),
            Money::Little if extended && dice.chance(0.55) => dice.pick_copy(KNOWN),
            Money::Little => Spend::Nowhere,
        }
    }

    fn draw_beat(plan: &Plan, dice: &mut Dice) -> Beat {
        if plan.end == End::Silence(Silence::Zombie) {
            return dice.pick_copy(&[Beat::Appended, Beat::Appended, Beat::AppendedJson, Beat::Last]);
        }
        dice.pick_copy(&[Beat::Absent, Beat::Last, Beat::Last, Beat::LastJson, Beat::Appended, Beat::AppendedJson])
    }
}

impl Faults {
    fn draw(plan: &Plan, stamp: Stamp, dice: &mut Dice) -> Self {
        let whole_seconds = matches!(stamp, Stamp::Seconds | Stamp::Text(_, 0));
        let stopped = matches!(plan.end, End::Stop(_));
        Self {
            crlf: dice.chance(0.08),
            bom: dice.chance(0.03),
            garbage: dice.chance(0.15),
            duplicates: dice.chance(0.12),
            // Two writers in one second; the calls of a class keep their order.
            swaps: whole_seconds && !plan.has_calls() && dice.chance(0.15),
            torn_tail: dice.chance(if stopped { 0.05 } else { 0.25 }),
            latin1: dice.chance(0.04),
            epilogue: stopped && plan.end != End::Stop(Stop::RewardHack) && dice.chance(0.06),
        }
    }
}
