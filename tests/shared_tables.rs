//! Endgame tables of the public test data, where they are there.

mod common;

use clavier::board::{Outcome, Position};
use clavier::game::Game;
use clavier::search::{Limits, Searcher, Silent};
use clavier::tablebase::check::random_position;
use clavier::tablebase::inventory::{Metric, complete_set};
use clavier::tablebase::{Tablebase, Wdl};
use clavier::types::{Color, Score};
use common::shared;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All tables for 3 and 4 men.
fn tables() -> Option<Tablebase> {
    let (tables, inventory) = Tablebase::open(shared("syzygy")?.as_os_str());
    assert!(inventory.is_sound() && inventory.missing().is_empty(), "{inventory}");
    assert_eq!(inventory.found.len(), 70);
    assert_eq!(tables.men_limit(), 4);
    Some(tables)
}

/// The number after a word in an EPD row.
fn operand(row: &str, word: &str) -> Option<i32> {
    row.split(word).nth(1)?.split(';').next()?.trim().parse().ok()
}

#[test]
fn probes_agree_with_known_results() {
    let Some(tables) = tables() else { return };
    let mut checked = 0;
    for suite in ["epd/endgame_wdl_dtz.epd", "epd/endgame_tb.epd"] {
        for row in std::fs::read_to_string(shared(suite).unwrap()).unwrap().lines() {
            let fen: Vec<&str> = row.split(' ').take(4).collect();
            let position: Position = fen.join(" ").parse().unwrap();
            let (Some(wdl), Some(dtz)) = (operand(row, "wdl "), operand(row, "dtz ")) else { continue };
            if position.men_count() > 4 {
                continue;
            }
            checked += 1;
            assert_eq!(tables.probe_wdl(&position).unwrap() as i32 - Wdl::Draw as i32, wdl, "{row}");
            assert_eq!(tables.probe_dtz(&position).unwrap().plies, dtz, "{row}");
            // One ply deeper the same: the best move leaves what the position is worth.
            if let Some(ranking) = tables.rank_root_moves(&position, true) {
                assert_eq!(ranking.wdl() as i32 - Wdl::Draw as i32, wdl, "{row}");
                let told = ranking.best().dtz.unwrap();
                assert!(told.abs_diff(dtz) <= 1 && told.signum() == dtz.signum(), "{told} for {row}");
            }
        }
    }
    assert!(checked > 400, "{checked}");
}

/// The winner if both sides play the first move of the ranking: the quickest win, the longest defence.
fn play_out(tables: &Tablebase, start: Position) -> Option<Color> {
    let mut game = Game::new(start);
    loop {
        match game.outcome() {
            Some(Outcome::Checkmate) => return game.winner(),
            Some(Outcome::Threefold) | None if game.position().has_legal_move() => {}
            _ => return None,
        }
        let ranking = tables.rank_root_moves(game.position(), true).unwrap();
        game.play(ranking.best().m);
    }
}

#[test]
fn what_is_won_is_won_and_what_is_drawn_is_drawn_against_the_best_defence() {
    let Some(tables) = tables() else { return };
    let mut random = fastrand::Rng::with_seed(6);
    for material in
        ["KQvK", "KRvK", "KPvK", "KBBvK", "KBNvK", "KNNvK", "KQvKR", "KRvKB", "KQvKP", "KRvKP", "KPvKP"]
    {
        for _ in 0..20 {
            let position = random_position(material, &mut random);
            let Some(ranking) = tables.rank_root_moves(&position, true) else { continue };
            let expected = match ranking.wdl() {
                Wdl::Win => Some(position.side_to_move()),
                Wdl::Loss => Some(!position.side_to_move()),
                Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => None,
            };
            assert_eq!(play_out(&tables, position), expected, "{position} {:?}", ranking.best());
        }
    }
}

#[test]
fn wins_are_told_from_spoiled_wins_by_the_clock() {
    let Some(tables) = tables() else { return };
    let mut random = fastrand::Rng::with_seed(7);
    let mut spoiled = 0;
    for _ in 0..60 {
        let position = random_position("KBNvK", &mut random);
        let text = position.to_string().replace(" 0 1", &format!(" {} 1", random.u32(40..99)));
        let late: Position = text.parse().unwrap();
        let Some(ranking) = tables.rank_root_moves(&late, true) else { continue };
        let is_decided = matches!(ranking.wdl(), Wdl::Win | Wdl::Loss);
        spoiled += u32::from(matches!(ranking.wdl(), Wdl::CursedWin | Wdl::BlessedLoss));
        assert_eq!(play_out(&tables, late).is_some(), is_decided, "{late} {:?}", ranking.best());
        let forever = tables.rank_root_moves(&late, false).unwrap();
        assert!(!matches!(forever.wdl(), Wdl::CursedWin | Wdl::BlessedLoss), "{late}");
    }
    assert!(spoiled > 10, "{spoiled}");
}

#[test]
fn memory_maps_and_system_calls_read_the_same() {
    let Some(tables) = tables() else { return };
    let (unmapped, _) = Tablebase::open_unmapped(shared("syzygy").unwrap().as_os_str());
    let mut random = fastrand::Rng::with_seed(9);
    for material in ["KQvKQ", "KRPvK", "KPvKP"] {
        for _ in 0..100 {
            let position = random_position(material, &mut random);
            assert_eq!(tables.probe_wdl(&position), unmapped.probe_wdl(&position), "{position}");
            assert_eq!(tables.probe_dtz(&position), unmapped.probe_dtz(&position), "{position}");
        }
    }
}

#[test]
fn castling_rights_and_too_many_men_are_not_probed() {
    let Some(tables) = tables() else { return };
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/4P3/3QK2R w - - 0 1"] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(tables.probe_wdl(&position), None);
        assert_eq!(tables.probe_dtz(&position), None);
        assert!(tables.rank_root_moves(&position, true).is_none());
    }
}

/// The winner if White is the engine with these nodes a move, and Black defends by the tables.
fn convert(searcher: &mut Searcher, tables: &Tablebase, start: Position, nodes: u64) -> Option<Color> {
    let attacker = start.side_to_move();
    let mut game = Game::new(start);
    searcher.new_game();
    loop {
        match game.outcome() {
            Some(Outcome::Checkmate) => return game.winner(),
            Some(Outcome::Threefold) | None if game.position().has_legal_move() => {}
            _ => return None,
        }
        let m = if game.position().side_to_move() == attacker {
            searcher.search(&game, &Limits::nodes(nodes), &mut Silent).best.unwrap()
        } else {
            tables.rank_root_moves(game.position(), true).unwrap().best().m
        };
        game.play(m);
    }
}

#[test]
fn lines_through_the_tables_do_not_run_past_a_repetition() {
    let Some(tables) = tables() else { return };
    let mut searcher = Searcher::new(1);
    searcher.settings().endgames.tables = Some(Arc::new(tables));
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..20 {
        let mut game = Game::new(random_position("KQvKP", &mut random));
        // Some moves without a plan, so that positions have been there before.
        for _ in 0..30 {
            let Some(m) = random.choice(game.position().legal_moves().to_vec()) else { break };
            game.play(m);
            if !game.position().has_legal_move() {
                break;
            }
            let report = searcher.search(&game, &Limits::nodes(300), &mut Silent);
            let mut line = game.clone();
            for &m in report.lines.first().map_or(&[][..], |line| &line.pv) {
                assert!(line.occurrences() < 3, "{} {:?}", game.position(), report.lines[0].pv);
                line.play(m);
            }
        }
    }
}

/// Games with random men are few here; `CLAVIER_ENDGAMES=500` asks for more.
#[test]
fn the_engine_wins_and_draws_as_the_tables_say_against_their_best_defence() {
    let Some(tables) = tables() else { return };
    let tables = Arc::new(tables);
    let games: usize = std::env::var("CLAVIER_ENDGAMES").map_or(10, |text| text.parse().unwrap());
    let mut searcher = Searcher::new(1);
    searcher.settings().endgames.tables = Some(Arc::clone(&tables));
    let mut random = fastrand::Rng::with_seed(11);
    let materials: Vec<String> = complete_set()
        .filter(|(name, metric)| name.len() == 5 && *metric == Metric::Wdl)
        .map(|(name, _)| name)
        .collect();
    assert_eq!(materials.len(), 30);
    let mut converted = 0;
    while converted < games {
        let position = random_position(random.choice(&materials).unwrap(), &mut random);
        let Some(ranking) = tables.rank_root_moves(&position, true) else { continue };
        let expected = match ranking.wdl() {
            Wdl::Win => Some(position.side_to_move()),
            Wdl::CursedWin => None,
            _ => continue,
        };
        assert_eq!(convert(&mut searcher, &tables, position, 1000), expected, "{position}");
        converted += 1;
    }
}

#[test]
fn the_search_tells_what_the_tables_know() {
    let Some(tables) = tables() else { return };
    let tables = Arc::new(tables);
    let mut searcher = Searcher::new(1);
    searcher.settings().endgames.tables = Some(Arc::clone(&tables));
    let mut look = |fen: &str, limits: &Limits| {
        searcher.new_game();
        searcher.search(&Game::new(fen.parse().unwrap()), limits, &mut Silent)
    };
    // A long way to mate with bishop and knight: a win by the tables, as many plies from the next capture.
    let report = look("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", &Limits::nodes(500));
    let (line, position) = (&report.lines[0], "8/8/8/4k3/8/8/8/KBN5 w - - 0 1".parse().unwrap());
    let distance = tables.probe_dtz(&position).unwrap().plies;
    assert!(line.score.0.abs_diff(20000 - distance) <= 1, "{:?} {distance}", line.score);
    assert!(line.tbhits > 0 && line.pv.len() > 10, "{} hits, {:?}", line.tbhits, line.pv);
    // White has to take first: the tables know only what comes after that.
    let report = look("8/8/8/3qk3/8/8/6B1/KR6 w - - 0 1", &Limits::depth(8));
    assert!(report.lines[0].score.is_decided(), "{:?}", report.lines[0].score);
    // A win that the fifty-move rule spoils is a draw, and without that rule a win.
    let cursed = "8/8/8/4k3/8/8/8/KBN5 w - - 90 80";
    assert!(!look(cursed, &Limits::nodes(500)).lines[0].score.is_decided());
    searcher.settings().endgames.fifty_move_rule = false;
    let report = searcher.search(&Game::new(cursed.parse().unwrap()), &Limits::nodes(500), &mut Silent);
    assert!(report.lines[0].score.is_decided());
    // With several lines, worse moves are told with their worth as well.
    searcher.settings().multipv = 30;
    let game = Game::new("8/8/8/8/8/2k5/7Q/K7 w - - 0 1".parse().unwrap());
    let report = searcher.search(&game, &Limits::depth(4), &mut Silent);
    assert_eq!(report.lines.len(), game.position().legal_moves().len());
    assert!(report.lines.iter().any(|line| line.score == Score::DRAW), "some moves lose the queen");
    assert!(report.lines.is_sorted_by(|a, b| a.score.0.signum() >= b.score.0.signum()));
    // Limits on what is asked.
    searcher.settings().multipv = 1;
    searcher.settings().endgames.probe_limit = 3;
    let report = searcher.search(&Game::new(cursed.parse().unwrap()), &Limits::depth(3), &mut Silent);
    assert_eq!(report.lines[0].tbhits, 0, "there are four men, and no capture leads to three");
}

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("clavier-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

#[test]
fn a_truncated_table_is_told_and_the_others_serve() {
    let Some(source) = shared("syzygy") else { return };
    let read = |name: &str| std::fs::read(source.join(name)).unwrap();
    let folder = Folder::new("truncated");
    for name in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw"] {
        folder.write(name, &read(name));
    }
    folder.write("KRvK.rtbz", &read("KRvK.rtbz")[..1000]);
    let (tables, inventory) = Tablebase::open(folder.0.as_os_str());
    assert_eq!(inventory.damaged.len(), 1, "{inventory}");
    assert_eq!(inventory.missing().len(), 7, "KRvK.rtbz and the tables of three other materials");
    let queen: Position = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1".parse().unwrap();
    let rook: Position = "8/8/8/8/8/2k5/8/KR6 w - - 0 1".parse().unwrap();
    let pawn: Position = "8/8/8/8/8/2k5/P7/K7 w - - 0 1".parse().unwrap();
    assert!(tables.rank_root_moves(&queen, true).unwrap().best().dtz.is_some());
    // Without distances, the moves are ranked by result.
    assert_eq!(tables.probe_dtz(&rook), None);
    assert_eq!(tables.rank_root_moves(&rook, true).unwrap().best().dtz, None);
    assert_eq!(tables.probe_wdl(&pawn), None);
    assert_eq!(tables.fault(), None, "missing tables are no fault");
}

/// Probes positions of a material until a fault shows.
fn probe_many(folder: &Path, material: &str, random: &mut fastrand::Rng) {
    let (tables, _) = Tablebase::open(folder.as_os_str());
    for _ in 0..50 {
        let position = random_position(material, random);
        tables.probe_wdl(&position);
        tables.probe_dtz(&position);
        tables.rank_root_moves(&position, true);
        if tables.fault().is_some() {
            return;
        }
    }
}

#[test]
fn whole_tables_pass_the_check_and_damage_inside_is_found() {
    let Some(source) = shared("syzygy") else { return };
    let (mut tables, inventory) = Tablebase::open(source.as_os_str());
    for material in inventory.materials() {
        let verdict = tables.check(material, 30);
        assert_eq!((verdict.fault, verdict.unanswered), (None, 0), "{material}");
    }
    let folder = Folder::new("damaged");
    for name in ["KRvK.rtbw", "KRvK.rtbz", "KBNvK.rtbw", "KBNvK.rtbz", "KBvK.rtbw", "KBvK.rtbz", "KNvK.rtbw"]
    {
        let mut bytes = std::fs::read(source.join(name)).unwrap();
        if name == "KBNvK.rtbz" {
            let middle = bytes.len() / 2;
            bytes[middle..].fill(0x5a);
        }
        folder.write(name, &bytes);
    }
    let (mut tables, inventory) = Tablebase::open(folder.0.as_os_str());
    assert!(inventory.is_sound(), "the heads are whole");
    assert!(tables.check("KBNvK", 500).fault.is_some());
    assert_eq!(tables.check("KRvK", 10).sound, 10);
    assert_eq!(tables.check("KQvK", 10).unanswered, 10);
}

#[test]
fn no_damage_ends_the_program() {
    let Some(source) = shared("syzygy") else { return };
    let mut random = fastrand::Rng::with_seed(8);
    for material in ["KPvK", "KQvKR", "KRvKP"] {
        let folder = Folder::new(material);
        for entry in std::fs::read_dir(&source).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, folder.0.join(path.file_name().unwrap())).unwrap();
        }
        for round in 0..100 {
            for extension in ["rtbw", "rtbz"] {
                let name = format!("{material}.{extension}");
                let mut bytes = std::fs::read(source.join(&name)).unwrap();
                // Mostly the head, whose numbers lead the reader; some rounds everywhere.
                let reach = if round % 4 == 0 { bytes.len() } else { bytes.len().min(300) };
                for _ in 0..random.usize(1..4) {
                    bytes[random.usize(4..reach)] = random.u8(..);
                }
                if round % 10 == 9 {
                    bytes.truncate(random.usize(0..bytes.len() / 64) * 64 + 16);
                }
                std::fs::remove_file(folder.0.join(&name)).unwrap();
                folder.write(&name, &bytes);
            }
            probe_many(&folder.0, material, &mut random);
        }
    }
}
