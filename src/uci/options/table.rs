//! All options. Their lines, `setoption`, `[uci]` of engine.toml and the README's table come from here.

use super::{EMBEDDED, Kind, OptionSpec};
use crate::nnue::Network;
use crate::search::Level;
use crate::uci::log::Log;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Told to whoever asks what this program is.
const ABOUT: &str = concat!(
    "Clavier ",
    env!("CARGO_PKG_VERSION"),
    ", GPL-3.0-or-later; the README.md that comes with it tells more"
);

/// The rating of `UCI_Elo` unless another one is set.
pub const DEFAULT_ELO: u32 = 1500;

/// All options, in the order in which they are told.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin { default: 16, min: 1, max: 1_048_576 },
        doc: "Memory for the positions already searched, in MiB.",
        apply: |player, value| {
            let mb = value.number() as usize;
            // GUIs send the default as well; a new table would cost them time for nothing.
            if mb == player.engine.hash_mb() {
                return Ok(());
            }
            player.engine.set_hash(mb).map_err(|error| error.to_string())
        },
    },
    OptionSpec {
        name: "Clear Hash",
        kind: Kind::Button,
        doc: "Forget the positions already searched.",
        apply: |player, _| {
            player.engine.clear_hash();
            Ok(())
        },
    },
    OptionSpec {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: 1024 },
        doc: "Threads to search with.",
        apply: |player, value| {
            player.engine.set_threads(value.number() as usize);
            Ok(())
        },
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 256 },
        doc: "How many best lines to show.",
        apply: |player, value| {
            player.engine.settings().multipv = value.number() as usize;
            Ok(())
        },
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check { default: false },
        doc: "Tells GUIs that the engine can think on the opponent's time.",
        apply: |_, _| Ok(()),
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin { default: 20, min: 0, max: 5000 },
        doc: "Time that a move loses on its way through GUI and network, in milliseconds.",
        apply: |player, value| {
            player.engine.settings().move_overhead = Duration::from_millis(value.number() as u64);
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check { default: false },
        doc: "Castling is written as king takes rook.",
        apply: |player, value| {
            player.style.chess960 = value.is_on();
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false },
        doc: "Tell the chances of win, draw and loss, in permill.",
        apply: |player, value| {
            player.style.shows_wdl = value.is_on();
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { default: false },
        doc: "Analysis: the truth and nothing else, so no contempt, no book, no limit of strength.",
        apply: |player, value| {
            player.is_analyzing = value.is_on();
            player.settle_manners();
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Kind::Check { default: false },
        doc: "Play no better than UCI_Elo.",
        apply: |player, value| {
            player.is_limited = value.is_on();
            player.settle_manners();
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: DEFAULT_ELO as i64,
            min: Level::WEAKEST as i64,
            max: Level::STRONGEST as i64,
        },
        doc: "How strong to play when UCI_LimitStrength is on, in Elo.",
        apply: |player, value| {
            player.elo = value.number() as u32;
            player.settle_manners();
            Ok(())
        },
    },
    OptionSpec {
        name: "UCI_Opponent",
        kind: Kind::Text { default: "" },
        doc: "Who the opponent is; Clavier plays alike against everybody.",
        apply: |_, _| Ok(()),
    },
    OptionSpec {
        name: "UCI_EngineAbout",
        kind: Kind::Fixed { text: ABOUT },
        doc: "What this program is.",
        apply: |_, _| Ok(()),
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text { default: "" },
        doc: "Folders with Syzygy endgame tables, joined as on the platform.",
        apply: |player, value| {
            player.open_tables(value.text());
            Ok(())
        },
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin { default: 1, min: 1, max: 100 },
        doc: "Depth from which on the largest tables are asked, in plies.",
        apply: |player, value| {
            player.engine.settings().endgames.probe_depth = value.number() as i32;
            Ok(())
        },
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin { default: 7, min: 0, max: 7 },
        doc: "Most men of a position that the tables are asked about.",
        apply: |player, value| {
            player.engine.settings().endgames.probe_limit = value.number() as u32;
            Ok(())
        },
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check { default: true },
        doc: "A win that takes more than fifty moves without a capture or pawn move counts as a draw.",
        apply: |player, value| {
            player.engine.settings().endgames.fifty_move_rule = value.is_on();
            Ok(())
        },
    },
    OptionSpec {
        name: "OwnBook",
        kind: Kind::Check { default: false },
        doc: "Play from the opening book.",
        apply: |player, value| {
            player.book.switch(value.is_on());
            Ok(())
        },
    },
    OptionSpec {
        name: "Book File",
        kind: Kind::Text { default: "" },
        doc: "An opening book in Polyglot's format.",
        apply: |player, value| player.book.open(value.text()),
    },
    OptionSpec {
        name: "EvalFile",
        kind: Kind::Text { default: EMBEDDED },
        doc: "The network that evaluates, a file that `clavier train` wrote; a bad one is refused.",
        apply: |player, value| {
            let network = match value.text() {
                "" | EMBEDDED => Network::embedded(),
                path => Arc::new(Network::read(Path::new(path)).map_err(|error| format!("{path}: {error}"))?),
            };
            player.engine.set_network(network);
            Ok(())
        },
    },
    OptionSpec {
        name: "Debug Log File",
        kind: Kind::Text { default: "" },
        doc: "Write every line in and out to this file, with time stamps.",
        apply: |player, value| {
            let log = match value.text() {
                "" => None,
                path => Some(Log::open(Path::new(path)).map_err(|error| format!("{path}: {error}"))?),
            };
            player.console.set_log(log);
            Ok(())
        },
    },
    OptionSpec {
        name: "Contempt",
        kind: Kind::Spin { default: 0, min: -100, max: 100 },
        doc: "How much worse than its true value a draw counts for the engine, in centipawns.",
        apply: |player, value| {
            player.contempt = value.number() as i32;
            player.settle_manners();
            Ok(())
        },
    },
];
