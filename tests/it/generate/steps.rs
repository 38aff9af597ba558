//! The events of one iteration, in order, with the share of its time that
//! passes before each.

use super::calls::{Call, Toolbox};
use super::dice::Dice;
use super::events::{Event, Value};
use super::infra::Outage;
use super::knobs::{Checks, Knobs, Spend};
use super::plan::{Colour, End, Money, Plan, Silence, Step, Stop};
use super::spend::{Tariff, shares};
use super::wording::{self, Shown};
use super::{tail, volatile};

/// Weight of the wait before an event, and the event.
pub(super) type Draft = Vec<(f64, Event)>;

/// Writes iterations, and remembers what it must to write the next one.
pub(super) struct Scribe<'a> {
    plan: &'a Plan,
    knobs: &'a Knobs,
    tools: Toolbox,
    tariff: Tariff,
    /// USD for each iteration.
    costs: Vec<f64>,
    /// Output of each iteration's check.
    shown: Vec<Shown>,
    check_name: &'static str,
    next_id: usize,
}

impl<'a> Scribe<'a> {
    pub(super) fn new(plan: &'a Plan, knobs: &'a Knobs, dice: &mut Dice) -> Self {
        let total = match plan.needs.money {
            Money::About(usd) => usd,
            // Near enough to each other that no green run is three times the
            // median of its peers.
            _ => dice.real(0.6, 1.5),
        };
        let shown = plan.steps.iter().map(|step| wording::show(step, knobs, dice)).collect();
        Self {
            plan,
            knobs,
            tools: Toolbox::new(dice),
            tariff: Tariff::draw(knobs.spend != Spend::Unpriced, dice),
            costs: shares(total, plan.steps.len(), dice),
            shown,
            check_name: dice.pick(&["make test", "tests", "npm test", "unit"]),
            next_id: dice.between(100, 900),
        }
    }

    /// The events of the iteration at `index`.
    pub(super) fn draft(&mut self, index: usize, dice: &mut Dice) -> Draft {
        let plan = self.plan;
        let step = &plan.steps[index];
        let last = index + 1 == plan.steps.len();
        let mut draft = Draft::new();
        if step.resumed {
            draft.push((0.0, Event::new("resume", Some("resumed after a pause".to_owned()))));
        }
        draft.push((0.0, Event::new("iter_start", None)));
        if self.knobs.checks == Checks::Before {
            self.push_check(index, 0.2, &mut draft, dice);
            self.push_green(step, last, &mut draft);
        } else if self.knobs.checks == Checks::Unlogged {
            self.push_green(step, last, &mut draft);
        }
        if self.calls_agent(step, last) {
            self.push_agent(index, &mut draft, dice);
        }
        if self.knobs.checks == Checks::After {
            self.push_check(index, 0.5, &mut draft, dice);
            self.push_green(step, last, &mut draft);
        }
        tail::push_extras(self.knobs, &mut draft, dice);
        if last {
            tail::push_end(plan, self.knobs, &self.shown[index], &mut draft, dice);
        }
        draft
    }

    /// Whether the loop comes to call its agent in this iteration.
    fn calls_agent(&self, step: &Step, last: bool) -> bool {
        if self.knobs.checks == Checks::After {
            return true;
        }
        match step.colour {
            // The loop stops at its check, or at its count of equal failures.
            Colour::Green => !last || self.plan.end != End::Stop(Stop::Green),
            _ => !(last && self.plan.end == End::Stop(Stop::Stuck)),
        }
    }

    fn push_green(&self, step: &Step, last: bool, draft: &mut Draft) {
        let ends = last && self.plan.end == End::Stop(Stop::Green);
        let said = ends || self.plan.needs.green_each_time;
        if matches!(step.colour, Colour::Green) && said {
            let n = self.plan.steps.len();
            draft.push((0.01, Event::new("green", Some(format!("done in {n}")))));
        }
    }

    fn push_check(&self, index: usize, weight: f64, draft: &mut Draft, dice: &mut Dice) {
        let step = &self.plan.steps[index];
        let green = matches!(step.colour, Colour::Green);
        // Without its service the agent did nothing that could be checked.
        if matches!(step.colour, Colour::Outage(Outage::Api, _)) {
            return;
        }
        let shown = &self.shown[index];
        let detail = if green { volatile::fill("all passed in «dur»s", dice) } else { shown.full.clone() };
        let mut event = Event::new("check", Some(detail))
            .with("check", Value::Text(self.check_name.to_owned()))
            .with("exit_code", Value::Int(i64::from(!green)))
            .with("duration_ms", Value::Int(dice.span(200, 4_000)));
        if dice.chance(0.7) {
            event = event.with("ok", Value::Flag(green));
        }
        let count = if green { self.plan.has_counts().then_some(0) } else { step.count };
        self.push_count(count, &mut event);
        if self.knobs.signatures
            && let Some(signature) = &shown.signature
        {
            event = event.with("signature", Value::Text(signature.clone()));
        }
        let instant = self.knobs.instant && self.knobs.checks == Checks::Before;
        draft.push((if instant { 0.0 } else { weight }, event));
    }

    fn push_count(&self, count: Option<usize>, event: &mut Event) {
        if let Some(count) = count {
            event.fields.push(("failures", Value::Int(count as i64)));
        }
    }

    /// What the agent is called for: this iteration's failure, or that of the
    /// check at the end of the one before.
    fn task(&self, index: usize) -> String {
        const IDLE: &str = "nothing fails, go on with the prompt";
        let step = &self.plan.steps[index];
        let told = |at: usize| match self.plan.steps[at].colour {
            Colour::Green => IDLE.to_owned(),
            _ => self.shown[at].first.clone(),
        };
        let api = |step: &Step| matches!(step.colour, Colour::Outage(Outage::Api, _));
        if self.knobs.checks != Checks::After || api(step) {
            return told(index);
        }
        match (0..index).rev().find(|&at| !api(&self.plan.steps[at])) {
            Some(before) => told(before),
            None if matches!(step.colour, Colour::Green) => "first pass".to_owned(),
            None => told(index),
        }
    }

    fn push_agent(&mut self, index: usize, draft: &mut Draft, dice: &mut Dice) {
        let plan = self.plan;
        let step = &plan.steps[index];
        let mut call = Event::new("agent_call", Some(self.task(index)));
        if self.knobs.checks == Checks::Unlogged {
            self.push_count(step.count, &mut call);
        }
        let idle = matches!(step.colour, Colour::Outage(..));
        if self.knobs.spend == Spend::OnCall && !idle {
            call = call.with("cost_usd", Value::Json(format!("{:.4}", self.costs[index])));
        }
        draft.push((if self.knobs.instant { 0.0 } else { dice.real(0.001, 0.05) }, call));
        if idle {
            return;
        }
        self.push_model_calls(index, draft, dice);
        if dice.chance(0.03) {
            for attempt in 1..=dice.between(1, 2) {
                tail::push_retry(attempt, self.knobs, draft, dice);
            }
        }
        if self.knobs.tools {
            for call in self.work(index, dice) {
                self.push_call(&call, draft, dice);
            }
        }
        for attempt in 1..=step.retries {
            tail::push_retry(attempt, self.knobs, draft, dice);
        }
        if self.knobs.commits && step.retries == 0 {
            let commit = Event::new("commit", None)
                .with("commit", Value::Text(dice.hex(40)))
                .with("files_changed", Value::Int(dice.span(1, 6)))
                .with("lines_added", Value::Int(dice.span(1, 90)))
                .with("lines_removed", Value::Int(dice.span(1, 40)));
            draft.push((0.05, commit));
        }
    }

    fn push_model_calls(&self, index: usize, draft: &mut Draft, dice: &mut Dice) {
        if matches!(self.knobs.spend, Spend::Nowhere | Spend::OnCall) {
            return;
        }
        for call in self.tariff.calls(self.costs[index], dice) {
            let mut event = Event::new("model_call", None)
                .with("model", Value::Text(call.model.to_owned()))
                .with("tokens_in", Value::Int(call.tokens_in as i64))
                .with("tokens_out", Value::Int(call.tokens_out as i64))
                .with("duration_ms", Value::Int(dice.span(400, 6_000)));
            if self.knobs.spend != Spend::TokensOnly {
                event = event.with("cost_usd", Value::Json(format!("{:.6}", call.usd)));
            }
            draft.push((dice.real(0.1, 0.4), event));
        }
    }

    /// The tool calls of an iteration: noise first, the class's own last.
    fn work(&mut self, index: usize, dice: &mut Dice) -> Vec<Call> {
        let step = &self.plan.steps[index];
        let n = dice.between(0, 5);
        let mut calls = self.tools.work(n, dice);
        if dice.chance(0.1) {
            calls.extend(self.tools.poll(dice));
        }
        if dice.chance(0.08) {
            calls.extend(self.tools.batch(dice));
        }
        if !step.calls.is_empty() {
            calls.extend(step.calls.iter().cloned());
            return calls;
        }
        let next = self.plan.steps.get(index + 1).map(|step| &step.colour);
        if self.knobs.own_checks && step.retries == 0 && !matches!(self.plan.end, End::Silence(Silence::Killed)) {
            match next {
                Some(Colour::Red(failure)) => {
                    calls.extend(self.tools.own_check(&failure.template, false, dice));
                }
                Some(Colour::Green) => {
                    calls.extend(self.tools.own_check("all passed in «dur»s", true, dice));
                }
                _ => {}
            }
        }
        calls
    }

    fn push_call(&mut self, call: &Call, draft: &mut Draft, dice: &mut Dice) {
        self.next_id += 1;
        let id = format!("c{}", self.next_id);
        let args = if self.knobs.hashed_args {
            let canonical: Vec<String> = call.args.iter().map(|(key, value)| format!("{key}={value}")).collect();
            ("args_hash", Value::Text(wording::fingerprint(&canonical.join("&"))))
        } else {
            ("args", Value::Json(tail::arguments(call, self.next_id, dice)))
        };
        let (key, value) = args;
        let start = Event::new("tool_call", None)
            .with("id", Value::Text(id.clone()))
            .with("tool", Value::Text(call.tool.to_owned()))
            .with(key, value);
        let mut end = Event::new("tool_result", Some(volatile::fill(&call.result, dice)))
            .with("id", Value::Text(id))
            .with("ok", Value::Flag(call.ok))
            .with("duration_ms", Value::Int(dice.span(3, 1_500)));
        if dice.chance(0.5) {
            end = end.with("tool", Value::Text(call.tool.to_owned()));
        }
        draft.push((dice.real(0.02, 0.3), start));
        draft.push((dice.real(0.0, 0.2), end));
    }
}
