//! Records for people.

use super::Value;
use super::format::{Style, Told, san_line};
use super::item::{Refusal, plain};
use crate::eval;

/// The lines of an analyzed item, without the last line's end.
pub(super) fn record(told: &Told<'_>, style: Style) -> String {
    let (item, analysis) = (told.item, told.analysis);
    let (position, report) = (&analysis.position, &analysis.report);
    let mut text = format!("{}: {position}", plain(&item.id));
    if let Some(outcome) = analysis.outcome {
        text = format!("{text}\n  {}", outcome.name());
    }
    if let Some(facts) = analysis.tables {
        let dtz = facts.dtz.map_or_else(String::new, |dtz| format!(", dtz {dtz}"));
        text = format!("{text}\n  tables: {}{dtz}", facts.wdl.name());
    }
    if let Some(best) = report.best {
        let seconds = report.time.as_secs_f64();
        let name = san_line(position, &[best]).concat();
        text = format!("{text}\n  best move {name}, {} nodes in {seconds:.2} s", report.nodes);
    }
    for line in &report.lines {
        let value = style.seen(Value::of(line.score), position);
        let bound = match style.bound(line.bound, position) {
            "lower" => " or more",
            "upper" => " or less",
            _ => "",
        };
        let chances = if style.wdl {
            let [win, draw, loss] = style.chances(eval::wdl(line.score, position), position);
            format!(" ({win} {draw} {loss})")
        } else {
            String::new()
        };
        let moves = san_line(position, &line.pv).join(" ");
        text = format!("{text}\n  {}. {value}{bound}{chances}, depth {}: {moves}", line.multipv, line.depth);
    }
    text
}

/// The line of an item that cannot be analyzed, without its end.
pub(super) fn refusal(refusal: &Refusal) -> String {
    format!("{}: error in line {}: {}", plain(&refusal.id), refusal.line, refusal.error)
}
