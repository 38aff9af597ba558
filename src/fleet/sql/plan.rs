//! What SQL leaves to polars, and polars decides otherwise than a reader expects. The plan that SQL becomes is changed:
//!
//! - polars gives up the order of rows in groupings, joins, unions and sorts with ties, because it is faster without; then the
//!   same question has its rows in another order each time. Here groups stand in the order in which their first row comes,
//!   joins in the order of their left side, ties in the order of the input.
//! - polars says that a sum over nothing is 0. Here it is null, as in the standard: what nobody knows is not zero.

use polars::lazy::dsl::DslPlan;
use polars::prelude::{AggExpr, Expr, LazyFrame, MaintainOrderJoin, NULL, UniqueKeepStrategy, lit, when};
use std::sync::Arc;

/// The plan as a frame that keeps to these rules.
pub(super) fn frame(plan: DslPlan) -> LazyFrame {
    LazyFrame::from(settled(plan))
}

fn arc(plan: &Arc<DslPlan>) -> Arc<DslPlan> {
    Arc::new(settled((**plan).clone()))
}

fn settled(mut plan: DslPlan) -> DslPlan {
    match &mut plan {
        DslPlan::GroupBy { input, maintain_order, aggs, predicates, .. } => {
            *maintain_order = true;
            sums(aggs);
            sums(predicates);
            *input = arc(input);
        }
        DslPlan::Join { input_left, input_right, options, .. } => {
            let options = Arc::make_mut(options);
            if options.args.maintain_order == MaintainOrderJoin::None {
                options.args.maintain_order = MaintainOrderJoin::LeftRight;
            }
            *input_left = arc(input_left);
            *input_right = arc(input_right);
        }
        DslPlan::Distinct { input, options } => {
            options.maintain_order = true;
            if options.keep_strategy == UniqueKeepStrategy::Any {
                options.keep_strategy = UniqueKeepStrategy::First;
            }
            *input = arc(input);
        }
        DslPlan::Sort { input, sort_options, .. } => {
            sort_options.maintain_order = true;
            *input = arc(input);
        }
        DslPlan::Union { inputs, args } => {
            args.maintain_order = true;
            inputs.iter_mut().for_each(|input| *input = settled(input.clone()));
        }
        DslPlan::HConcat { inputs, .. } => inputs.iter_mut().for_each(|input| *input = settled(input.clone())),
        DslPlan::ExtContext { input, contexts } => {
            *input = arc(input);
            contexts.iter_mut().for_each(|context| *context = settled(context.clone()));
        }
        DslPlan::PipeWithSchema { input, .. } => *input = input.iter().map(|plan| settled(plan.clone())).collect(),
        DslPlan::Gather { input, idxs, .. } => {
            *input = arc(input);
            *idxs = arc(idxs);
        }
        DslPlan::Select { input, expr: exprs, .. } | DslPlan::HStack { input, exprs, .. } => {
            sums(exprs);
            *input = arc(input);
        }
        DslPlan::Filter { input, .. }
        | DslPlan::Cache { input, .. }
        | DslPlan::MatchToSchema { input, .. }
        | DslPlan::Slice { input, .. }
        | DslPlan::MapFunction { input, .. } => *input = arc(input),
        // What a plan was translated to before is translated anew.
        DslPlan::IR { dsl, .. } => return settled((**dsl).clone()),
        _ => {}
    }
    plan
}

/// A sum over nothing is null.
fn sums(exprs: &mut [Expr]) {
    for expr in exprs {
        *expr = std::mem::take(expr).map_expr(|e| match e {
            Expr::Agg(AggExpr::Sum(of)) => {
                let known = (*of).clone().count().gt(lit(0));
                when(known).then(Expr::Agg(AggExpr::Sum(of))).otherwise(lit(NULL))
            }
            other => other,
        });
    }
}
