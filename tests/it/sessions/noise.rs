//! What real transcripts hold beside the story, and must not change the answer.

use super::act::{Act, Call, Tool};
use super::{Class, Plan};
use crate::generate::Dice;

pub(super) fn add(plan: &mut Plan, class: Class, dice: &mut Dice) {
    let mut out = Vec::with_capacity(plan.acts.len() * 2);
    // A look between equal calls would be another step; the rule counts calls in a row.
    let strict = matches!(class, Class::StuckCall | Class::StuckError | Class::StuckText | Class::StuckPoll | Class::OscillationCalls);
    let share = dice.real(0.0, 0.35);
    let last = plan.acts.len().saturating_sub(1);
    for (k, act) in std::mem::take(&mut plan.acts).into_iter().enumerate() {
        if k > 0 && k < last && dice.chance(share) && matches!(act, Act::Call(_)) {
            match dice.between(0, 5) {
                0 if class != Class::StuckText => out.push(Act::Say(format!("Let me look at that again ({}).", dice.hex(4)), false)),
                1 => out.push(Act::Call(Call {
                    tool: Tool::Plan(dice.between(0, 9)),
                    out: "Todos have been modified successfully.".to_owned(),
                    code: 0,
                })),
                2 if !strict => {
                    let path = format!("src/helpers/{}.txt", dice.hex(6));
                    out.push(Act::read(&path, format!("     1→{}", dice.hex(40))));
                }
                3 if !strict => {
                    let pattern = dice.hex(8);
                    let tool = Tool::Grep(pattern, "src".to_owned());
                    out.push(Act::Call(Call { tool, out: "No matches found".to_owned(), code: 0 }));
                }
                4 if class != Class::SilentOutage && dice.chance(0.4) => out.push(Act::Retry),
                _ => {}
            }
        }
        if !strict && k > 3 && dice.chance(0.01) {
            out.push(Act::Compact);
        }
        out.push(act);
    }
    plan.acts = out;
}
