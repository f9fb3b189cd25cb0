//! One game of the engine against itself.

use super::games::{GameRecord, GameResult, ScoredMove};
use crate::board::{Outcome, Position};
use crate::game::Game;
use crate::search::{Harvested, Limits, Searcher, Silent};
use crate::types::{Color, Move, Score};

/// What a player thinks of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thought {
    /// The move to play.
    pub best: Move,
    /// The value for the side to move, in internal units.
    pub score: Score,
}

/// Whoever can play a game: the search, or a test.
pub trait Player {
    /// Forgets the game before, and what was harvested in it.
    fn new_game(&mut self);

    /// The move to play; none if there is no legal one.
    fn think(&mut self, game: &Game, limits: &Limits) -> Option<Thought>;

    /// Positions from inside the searches since the game began; it must have ended.
    fn take_harvest(&mut self) -> Vec<Harvested> {
        Vec::new()
    }
}

impl Player for Searcher {
    fn new_game(&mut self) {
        Searcher::new_game(self);
    }

    fn think(&mut self, game: &Game, limits: &Limits) -> Option<Thought> {
        let report = self.search(game, limits, &mut Silent);
        Some(Thought { best: report.best?, score: report.lines.first()?.score })
    }

    fn take_harvest(&mut self) -> Vec<Harvested> {
        Searcher::take_harvest(self)
    }
}

/// When a game ends before the rules of chess end it. Scores are in internal units.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Adjudication {
    /// A game is won at this score ..
    pub win_score: i32,
    /// .. seen by both sides for so many plies in a row.
    pub win_plies: u32,
    /// A game is drawn when no score is larger ..
    pub draw_score: i32,
    /// .. for so many plies in a row ..
    pub draw_plies: u32,
    /// .. and so many plies have been played.
    pub draw_from_ply: u32,
    /// A game as long as this is drawn.
    pub max_plies: u32,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            win_score: 2000,
            win_plies: 4,
            draw_score: 10,
            draw_plies: 12,
            draw_from_ply: 80,
            max_plies: 400,
        }
    }
}

/// Plays a game to its end by the rules or by adjudication.
pub fn play(
    player: &mut impl Player,
    start: Position,
    limits: &Limits,
    adjudication: &Adjudication,
) -> GameRecord {
    let mut game = Game::new(start);
    let mut moves = Vec::with_capacity(adjudication.max_plies as usize);
    let mut umpire = Umpire::new(adjudication);
    let result = loop {
        if let Some(result) = result_by_rules(&game) {
            break result;
        }
        let Some(thought) = player.think(&game, limits) else { break GameResult::Draw };
        let score = white_score(thought.score, game.position().side_to_move());
        moves.push(ScoredMove { played: thought.best, score });
        if let Some(result) = umpire.judge(i32::from(score)) {
            break result;
        }
        game.play(thought.best);
    };
    GameRecord { start, result, moves }
}

/// The score as White sees it, in the 16 bits of the record.
pub(super) fn white_score(score: Score, side: Color) -> i16 {
    let score = if side == Color::White { score } else { -score };
    score.0.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

/// The result of a game that the rules have ended. Draws are claimed.
fn result_by_rules(game: &Game) -> Option<GameResult> {
    match game.outcome()? {
        Outcome::Checkmate => Some(GameResult::win_of(!game.position().side_to_move())),
        _ => Some(GameResult::Draw),
    }
}

/// Follows the scores of a game.
struct Umpire<'a> {
    adjudication: &'a Adjudication,
    plies: u32,
    white_winning: u32,
    black_winning: u32,
    level: u32,
}

impl Umpire<'_> {
    fn new(adjudication: &Adjudication) -> Umpire<'_> {
        Umpire { adjudication, plies: 0, white_winning: 0, black_winning: 0, level: 0 }
    }

    /// The result, if the score of this ply for White decides the game.
    fn judge(&mut self, score: i32) -> Option<GameResult> {
        let rules = self.adjudication;
        let count = |run: &mut u32, goes_on: bool| *run = if goes_on { *run + 1 } else { 0 };
        self.plies += 1;
        count(&mut self.white_winning, score >= rules.win_score);
        count(&mut self.black_winning, score <= -rules.win_score);
        count(&mut self.level, score.abs() <= rules.draw_score && self.plies > rules.draw_from_ply);
        if self.white_winning >= rules.win_plies {
            Some(GameResult::WhiteWins)
        } else if self.black_winning >= rules.win_plies {
            Some(GameResult::BlackWins)
        } else if self.level >= rules.draw_plies || self.plies >= rules.max_plies {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::notation;

    /// Plays by chance and gives every position of its own side the same score.
    pub(crate) struct Gambler {
        pub random: fastrand::Rng,
        /// The score that White is told; the other way round for Black.
        pub white_score: i32,
    }

    impl Player for Gambler {
        fn new_game(&mut self) {}

        fn think(&mut self, game: &Game, _: &Limits) -> Option<Thought> {
            let best = self.random.choice(game.position().legal_moves().iter().copied())?;
            let score = Score(self.white_score);
            let is_white = game.position().side_to_move() == Color::White;
            Some(Thought { best, score: if is_white { score } else { -score } })
        }
    }

    /// Plays a list of moves.
    struct Script(std::vec::IntoIter<&'static str>);

    impl Player for Script {
        fn new_game(&mut self) {}

        fn think(&mut self, game: &Game, _: &Limits) -> Option<Thought> {
            let best = notation::parse_uci(game.position(), self.0.next()?).unwrap();
            Some(Thought { best, score: Score(50) })
        }
    }

    fn gamble(white_score: i32) -> GameRecord {
        let mut player = Gambler { random: fastrand::Rng::with_seed(4), white_score };
        play(&mut player, Position::start(), &Limits::default(), &Adjudication::default())
    }

    #[test]
    fn a_large_score_wins_after_four_plies() {
        let (white, black) = (gamble(2000), gamble(-2100));
        assert_eq!((white.result, white.moves.len()), (GameResult::WhiteWins, 4));
        assert_eq!((black.result, black.moves.len()), (GameResult::BlackWins, 4));
        // The record holds White's view of both sides' scores.
        assert!(black.moves.iter().all(|scored| scored.score == -2100));
    }

    #[test]
    fn level_scores_draw_twelve_plies_after_ply_80() {
        let adjudication = Adjudication::default();
        let mut umpire = Umpire::new(&adjudication);
        let results: Vec<_> = (0..92).map(|ply| umpire.judge(ply % 10)).collect();
        assert_eq!(results[91], Some(GameResult::Draw));
        assert!(results[..91].iter().all(Option::is_none));
    }

    #[test]
    fn a_fluctuating_score_ends_no_game_before_ply_400() {
        let adjudication = Adjudication::default();
        let mut umpire = Umpire::new(&adjudication);
        let results: Vec<_> =
            (0..400).map(|ply| umpire.judge(if ply % 2 == 0 { 2500 } else { -2500 })).collect();
        assert_eq!(results[399], Some(GameResult::Draw));
        assert!(results[..399].iter().all(Option::is_none));
    }

    #[test]
    fn the_rules_end_a_game() {
        let script = |moves: Vec<&'static str>| {
            let limits = Limits::default();
            play(&mut Script(moves.into_iter()), Position::start(), &limits, &Adjudication::default())
        };
        let mate = script(vec!["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!((mate.result, mate.moves.len()), (GameResult::BlackWins, 4));
        let repetition = script(["g1f3", "g8f6", "f3g1", "f6g8"].repeat(3));
        assert_eq!((repetition.result, repetition.moves.len()), (GameResult::Draw, 8));
    }
}
