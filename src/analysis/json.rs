//! Records as JSON Lines, one object a line.

use super::format::{Style, Told, san_line};
use super::item::{Item, Refusal};
use super::{ENGINE, Value};
use crate::board::{Outcome, Position};
use crate::eval;
use crate::search::Line;
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// Version of the records' form.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Record<'a> {
    v: u32,
    id: &'a Json,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    status: &'static str,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    bestmove: Option<Named>,
    ponder: Option<String>,
    lines: Vec<LineRecord>,
    outcome: Option<&'static str>,
    tb: Option<TableRecord>,
    engine: &'static str,
    net: &'a str,
    limit: Map<String, Json>,
}

#[derive(Serialize)]
struct Named {
    uci: String,
    san: String,
}

#[derive(Serialize)]
struct LineRecord {
    multipv: usize,
    depth: u32,
    score: ScoreRecord,
    bound: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u32; 3]>,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_san: Option<Vec<String>>,
}

#[derive(Serialize)]
struct ScoreRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    pov: &'static str,
}

#[derive(Serialize)]
struct TableRecord {
    wdl: &'static str,
    dtz: Option<i32>,
}

#[derive(Serialize)]
struct RefusalRecord<'a> {
    v: u32,
    id: &'a Json,
    line: u64,
    fen: &'a str,
    status: &'static str,
    error: Fault,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    message: String,
}

/// The record of an analyzed item.
pub(super) fn record(told: &Told<'_>, style: Style) -> String {
    let Told { item, analysis, plan } = *told;
    let report = &analysis.report;
    let first = report.lines.first();
    let time_ms = report.time.as_millis() as u64;
    let moves = first.map_or_else(Vec::new, |line| style.uci_line(item, &line.pv));
    let named = |best| Named {
        uci: style.uci_line(item, &[best]).concat(),
        san: san_line(&analysis.position, &[best]).concat(),
    };
    write(&Record {
        v: VERSION,
        id: &item.id,
        fen: analysis.position.to_string(),
        game: item.place.map(|place| place.game),
        ply: item.place.map(|place| place.ply),
        status: "ok",
        depth: first.map_or(0, |line| line.depth),
        seldepth: first.map_or(0, |line| line.seldepth),
        nodes: report.nodes,
        time_ms,
        nps: report.nodes * 1_000_000 / (report.time.as_micros() as u64).max(1),
        bestmove: report.best.map(named),
        ponder: report.ponder.and_then(|_| moves.get(1).cloned()),
        lines: report.lines.iter().map(|line| line_record(item, line, style)).collect(),
        outcome: analysis.outcome.map(Outcome::name),
        tb: analysis.tables.map(|facts| TableRecord { wdl: facts.wdl.name(), dtz: facts.dtz }),
        engine: ENGINE,
        net: plan.network_name(),
        limit: plan.limit(),
    })
}

fn line_record(item: &Item, line: &Line, style: Style) -> LineRecord {
    let position: &Position = item.game.position();
    let value = style.seen(Value::of(line.score), position);
    LineRecord {
        multipv: line.multipv,
        depth: line.depth,
        score: ScoreRecord { cp: value.centipawns(), mate: value.mate(), pov: style.view_name() },
        bound: style.bound(line.bound, position),
        wdl: style.wdl.then(|| style.chances(eval::wdl(line.score, position), position)),
        pv: style.uci_line(item, &line.pv),
        pv_san: style.san.then(|| san_line(position, &line.pv)),
    }
}

/// The record of an item that cannot be analyzed.
pub(super) fn refusal(refusal: &Refusal) -> String {
    write(&RefusalRecord {
        v: VERSION,
        id: &refusal.id,
        line: refusal.line,
        fen: &refusal.fen,
        status: "error",
        error: Fault { kind: refusal.error.kind(), message: refusal.error.to_string() },
    })
}

fn write(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records hold plain data only")
}
