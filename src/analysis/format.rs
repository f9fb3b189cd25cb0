//! The forms in which records are written.

use super::item::{Item, Refusal};
use super::{Analysis, Plan, Value, csv, epd, json, text};
use crate::board::{Position, notation, san};
use crate::types::{Bound, Color, Move};

/// A form of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// Extended Position Description: the opcodes read, and those of the analysis.
    Epd,
    /// A table with a header.
    Csv,
    /// For people.
    Text,
}

/// In whose view values are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// White's.
    White,
    /// That of the side to move.
    Side,
}

/// What a record looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// The form.
    pub format: Format,
    /// In whose view values are told; EPD always takes that of the side to move.
    pub view: View,
    /// Tell the chances of win, draw and loss?
    pub wdl: bool,
    /// Tell lines in SAN too?
    pub san: bool,
    /// Write castling as king takes rook always?
    pub chess960: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { format: Format::Jsonl, view: View::White, wdl: false, san: false, chess960: false }
    }
}

/// What there is to tell about an item.
pub(super) struct Told<'a> {
    pub item: &'a Item,
    pub analysis: &'a Analysis,
    pub plan: &'a Plan,
}

impl Style {
    /// The text before the first record.
    pub fn header(self) -> &'static str {
        if self.format == Format::Csv { csv::HEADER } else { "" }
    }

    /// What ends every record.
    pub fn record_end(self) -> &'static str {
        if self.format == Format::Text { "\n\n" } else { "\n" }
    }

    /// The record of an analyzed item, with its end.
    pub fn record(self, plan: &Plan, item: &Item, analysis: &Analysis) -> String {
        let told = Told { item, analysis, plan };
        let mut record = match self.format {
            Format::Jsonl => json::record(&told, self),
            Format::Epd => epd::write(&told, self),
            Format::Csv => csv::record(&told, self),
            Format::Text => text::record(&told, self),
        };
        record.push_str(self.record_end());
        record
    }

    /// The record of an item that cannot be analyzed; none in EPD, which has no form for it.
    pub fn refusal(self, refusal: &Refusal) -> Option<String> {
        let mut record = match self.format {
            Format::Jsonl => json::refusal(refusal),
            Format::Epd => return None,
            Format::Csv => csv::refusal(refusal),
            Format::Text => text::refusal(refusal),
        };
        record.push_str(self.record_end());
        Some(record)
    }

    /// The name of the view.
    pub(super) fn view_name(self) -> &'static str {
        match self.view {
            View::White => "white",
            View::Side => "side",
        }
    }

    /// Is the view that of the side that waits?
    fn is_turned(self, position: &Position) -> bool {
        self.view == View::White && position.side_to_move() == Color::Black
    }

    /// A value for the side to move, in the view that is asked for.
    pub(super) fn seen(self, value: Value, position: &Position) -> Value {
        if self.is_turned(position) { -value } else { value }
    }

    /// Chances of win, draw and loss in the view that is asked for.
    pub(super) fn chances(self, [win, draw, loss]: [u32; 3], position: &Position) -> [u32; 3] {
        if self.is_turned(position) { [loss, draw, win] } else { [win, draw, loss] }
    }

    /// Name of a bound in the view that is asked for.
    pub(super) fn bound(self, bound: Bound, position: &Position) -> &'static str {
        match (bound, self.is_turned(position)) {
            (Bound::Exact, _) => "exact",
            (Bound::Lower, false) | (Bound::Upper, true) => "lower",
            (Bound::Upper, false) | (Bound::Lower, true) => "upper",
        }
    }

    /// The moves of a line as UCI text.
    pub(super) fn uci_line(self, item: &Item, line: &[Move]) -> Vec<String> {
        let chess960 = self.chess960 || item.chess960;
        name_moves(item.game.position(), line, |position, m| notation::format_uci(position, m, chess960))
    }
}

/// The moves of a line in SAN.
pub fn san_line(position: &Position, line: &[Move]) -> Vec<String> {
    name_moves(position, line, san::format)
}

/// The moves of a line, each by its name in the position before it.
pub fn name_moves(root: &Position, line: &[Move], name: impl Fn(&Position, Move) -> String) -> Vec<String> {
    let mut position = *root;
    line.iter()
        .map(|&m| {
            let text = name(&position, m);
            position = position.make(m);
            text
        })
        .collect()
}
