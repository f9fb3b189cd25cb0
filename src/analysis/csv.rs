//! Records as a table of comma-separated values (RFC 4180), for spreadsheets and R. It tells the best line alone.

use super::Value;
use super::format::{Style, Told, san_line};
use super::item::{Refusal, plain};
use crate::board::Outcome;
use crate::eval;

/// The first line of the table.
pub(super) const HEADER: &str = "id,fen,status,depth,seldepth,nodes,time_ms,score_cp,mate,wdl_w,wdl_d,wdl_l,\
                                 bestmove,ponder,pv,outcome,error\n";
/// Number of columns.
const COLUMNS: usize = 17;

/// The row of an analyzed item.
pub(super) fn record(told: &Told<'_>, style: Style) -> String {
    let (item, analysis) = (told.item, told.analysis);
    let (position, report) = (&analysis.position, &analysis.report);
    let mut row: [String; COLUMNS] = Default::default();
    row[0] = plain(&item.id);
    row[1] = position.to_string();
    "ok".clone_into(&mut row[2]);
    row[5] = report.nodes.to_string();
    row[6] = report.time.as_millis().to_string();
    if let Some(line) = report.lines.first() {
        let value = style.seen(Value::of(line.score), position);
        row[3] = line.depth.to_string();
        row[4] = line.seldepth.to_string();
        row[7] = value.centipawns().map_or_else(String::new, |centipawns| centipawns.to_string());
        row[8] = value.mate().map_or_else(String::new, |moves| moves.to_string());
        if style.wdl {
            let chances = style.chances(eval::wdl(line.score, position), position);
            row[9..12].clone_from_slice(&chances.map(|chance| chance.to_string()));
        }
        let uci = style.uci_line(item, &line.pv);
        row[12] = uci.first().cloned().unwrap_or_default();
        row[13] = uci.get(1).cloned().unwrap_or_default();
        row[14] = if style.san { san_line(position, &line.pv).join(" ") } else { uci.join(" ") };
    }
    analysis.outcome.map_or("", Outcome::name).clone_into(&mut row[15]);
    join(&row)
}

/// The row of an item that cannot be analyzed.
pub(super) fn refusal(refusal: &Refusal) -> String {
    let mut row: [String; COLUMNS] = Default::default();
    row[0] = plain(&refusal.id);
    row[1].clone_from(&refusal.fen);
    "error".clone_into(&mut row[2]);
    row[16] = refusal.error.to_string();
    join(&row)
}

/// The fields with commas. A row is one line, so that a table that was cut off can be mended.
fn join(row: &[String]) -> String {
    let field = |text: &String| {
        let text = text.replace(['\n', '\r'], " ");
        if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
    };
    row.iter().map(field).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_names_every_column() {
        assert_eq!(HEADER.trim_end().split(',').count(), COLUMNS);
    }

    #[test]
    fn commas_and_quotes_are_kept() {
        assert_eq!(join(&["a,\"b\"\nc".to_owned(), String::new()]), "\"a,\"\"b\"\" c\",");
    }
}
