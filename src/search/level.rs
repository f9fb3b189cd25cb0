//! Weaker play that looks human: a short look, a choice among good moves that is blurred, and now and then an
//! oversight. A mate that is near is played all the same.
//!
//! The idea of choosing among several lines: <https://www.chessprogramming.org/Playing_Strength>. Everything is
//! drawn from the moves of the game, so the same game gets the same answer.

use crate::board::Position;
use crate::eval;
use crate::game::Game;
use crate::nnue::Network;
use crate::types::{Move, Score};

/// A row of the table of levels.
struct Row {
    elo: u32,
    /// Nodes of a search.
    nodes: u64,
    /// Win chance, in permill, by which a move may be worse to be chosen e times less often.
    blur: f64,
    /// How often a move is played at first glance, in permill.
    oversights: f64,
}

/// What each level does; between the rows it is interpolated. Calibrated by matches between neighbors: see
/// docs/levels.md.
#[rustfmt::skip]
const ROWS: [Row; 14] = [
    Row { elo:  500, nodes:        20, blur: 260.0, oversights: 450.0 },
    Row { elo:  800, nodes:        40, blur: 150.0, oversights: 280.0 },
    Row { elo: 1000, nodes:        80, blur: 105.0, oversights: 190.0 },
    Row { elo: 1200, nodes:       200, blur:  75.0, oversights: 125.0 },
    Row { elo: 1400, nodes:       600, blur:  48.0, oversights:  72.0 },
    Row { elo: 1600, nodes:     1_500, blur:  37.0, oversights:  50.0 },
    Row { elo: 1800, nodes:     3_000, blur:  26.0, oversights:  30.0 },
    Row { elo: 2000, nodes:     7_000, blur:  18.0, oversights:  17.0 },
    Row { elo: 2200, nodes:    16_000, blur:  12.0, oversights:   9.0 },
    Row { elo: 2400, nodes:    23_000, blur:   9.0, oversights:   5.0 },
    Row { elo: 2600, nodes:   100_000, blur:   5.0, oversights:   2.0 },
    Row { elo: 2800, nodes:   300_000, blur:   2.0, oversights:   0.5 },
    Row { elo: 2900, nodes:   800_000, blur:   1.0, oversights:   0.0 },
    Row { elo: 3000, nodes: 2_000_000, blur:   0.0, oversights:   0.0 },
];

/// Lines among which a level chooses.
const LINES: usize = 5;
/// Centipawns by which the odds of a win grow e-fold, in the eyes of a person: so that a queen more counts even in
/// a position that is won anyway.
const SLOPE: f64 = 300.0;

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Nodes of a search.
    pub nodes: u64,
    /// See [`Row::blur`], but as a share of 1.
    blur: f64,
    /// Share of moves that are played at first glance.
    oversights: f64,
    /// A mate in so many moves is never missed.
    sight: i32,
}

/// A move with what it is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// Its value for the side that moves.
    pub score: Score,
}

impl Level {
    /// The weakest level, in Elo.
    pub const WEAKEST: u32 = ROWS[0].elo;
    /// The strongest level, in Elo.
    pub const STRONGEST: u32 = ROWS[ROWS.len() - 1].elo;

    /// The level of a rating, which is cut to what there is.
    pub fn new(elo: u32) -> Level {
        let elo = elo.clamp(Level::WEAKEST, Level::STRONGEST);
        let upper = ROWS.iter().position(|row| row.elo >= elo).unwrap_or(ROWS.len() - 1).max(1);
        let (low, high) = (&ROWS[upper - 1], &ROWS[upper]);
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low + (high - low) * share;
        Level {
            nodes: between((low.nodes as f64).ln(), (high.nodes as f64).ln()).exp().round() as u64,
            blur: between(low.blur, high.blur) / 1000.0,
            oversights: between(low.oversights, high.oversights) / 1000.0,
            sight: 1 + (elo - Level::WEAKEST) as i32 / 400,
        }
    }

    /// How many lines the search has to find.
    pub fn lines(self) -> usize {
        if self.blur > 0.0 { LINES } else { 1 }
    }

    /// The candidate to play: one of those that the search found, the best first, or now and then one of the allowed
    /// moves that looks good at first glance.
    pub fn choose(self, game: &Game, found: &[Candidate], allowed: &[Move], network: &Network) -> Candidate {
        let mut random = fastrand::Rng::with_seed(seed(game));
        let (best, position) = (found[0], game.position());
        if best.score.moves_to_mate().is_some_and(|moves| (1..=self.sight).contains(&moves)) {
            return best;
        }
        if random.f64() < self.oversights {
            return self.draw(&glance(position, allowed, network), &mut random);
        }
        self.draw(found, &mut random)
    }

    /// A candidate, the worse ones less often.
    fn draw(self, candidates: &[Candidate], random: &mut fastrand::Rng) -> Candidate {
        let chances = candidates.iter().map(|candidate| chance(candidate.score));
        let best = chances.clone().fold(0.0, f64::max);
        let weights: Vec<f64> = chances.map(|chance| ((chance - best) / self.blur.max(1e-9)).exp()).collect();
        let mut ticket = random.f64() * weights.iter().sum::<f64>();
        for (candidate, weight) in candidates.iter().zip(&weights) {
            ticket -= weight;
            if ticket < 0.0 {
                return *candidate;
            }
        }
        candidates[0]
    }
}

/// Moves as they look before the opponent answers: what is taken is won, and nothing is in danger.
fn glance(position: &Position, allowed: &[Move], network: &Network) -> Vec<Candidate> {
    let candidate = |&m| Candidate { m, score: -eval::evaluate(&position.make(m), network) };
    position.sorted_moves().iter().filter(|m| allowed.contains(m)).map(candidate).collect()
}

/// The chance to win in the eyes of a person, in 0..=1.
fn chance(score: Score) -> f64 {
    let centipawns = if score.is_decided() { score.0 } else { eval::to_centipawns(score) };
    1.0 / (1.0 + (-f64::from(centipawns) / SLOPE).exp())
}

/// A number that depends on every position of the game (the mixing is that of FNV-1a, in words).
fn seed(game: &Game) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    let keys = game.keys().iter().copied().chain([game.position().key()]);
    keys.fold(OFFSET, |hash, key| (hash ^ key).wrapping_mul(PRIME).rotate_left(29))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation;

    /// The start position after some moves.
    fn game(moves: &[&str]) -> Game {
        let mut game = Game::default();
        for text in moves {
            game.play(notation::parse_uci(game.position(), text).unwrap());
        }
        game
    }

    /// The first moves of a position with these values.
    fn candidates(game: &Game, scores: &[i32]) -> Vec<Candidate> {
        let moves = game.position().legal_moves().to_vec();
        moves.into_iter().zip(scores).map(|(m, &score)| Candidate { m, score: Score(score) }).collect()
    }

    /// What the level chooses where every move is allowed.
    fn choose(level: Level, game: &Game, found: &[Candidate]) -> Candidate {
        level.choose(game, found, &game.position().legal_moves(), &Network::embedded())
    }

    /// Games that differ in their length, and so in the seed.
    fn games() -> impl Iterator<Item = Game> {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        (0..50).map(move |turns| game(&shuffle.repeat(turns)))
    }

    #[test]
    fn levels_grow_with_the_rating() {
        let levels: Vec<Level> = (500..=3000).step_by(50).map(Level::new).collect();
        assert!(levels.windows(2).all(|pair| pair[0].nodes < pair[1].nodes
            && pair[0].blur > pair[1].blur
            && pair[0].oversights >= pair[1].oversights
            && pair[0].sight <= pair[1].sight));
        assert_eq!(Level::new(0), Level::new(500));
        assert_eq!(Level::new(9000), Level::new(3000));
        assert_eq!((Level::new(3000).lines(), Level::new(500).lines()), (1, LINES));
    }

    #[test]
    fn the_same_game_gets_the_same_answer_and_others_get_others() {
        let level = Level::new(800);
        let choose = |game: &Game| choose(level, game, &candidates(game, &[30, 25, 20, 10, 0])).m;
        assert!(games().all(|game| choose(&game) == choose(&game)));
        let first = choose(&game(&[]));
        assert!(games().any(|game| choose(&game) != first));
    }

    #[test]
    fn the_stronger_the_level_the_more_often_the_best_move_comes() {
        let best_moves = |elo| {
            let is_best = |game: &Game| {
                let found = candidates(game, &[40, 10, -20, -100, -300]);
                choose(Level::new(elo), game, &found) == found[0]
            };
            games().filter(is_best).count()
        };
        let counts = [500, 1200, 2000, 3000].map(best_moves);
        assert!(counts.is_sorted() && counts[0] < 30, "{counts:?}");
        assert_eq!(counts[3], 50);
    }

    #[test]
    fn a_near_mate_is_never_missed() {
        for elo in [500, 900, 1500] {
            for game in games() {
                let mut found = candidates(&game, &[0, 900, 800, 700, 600]);
                found[0].score = Score::mate_in(1);
                assert_eq!(choose(Level::new(elo), &game, &found), found[0]);
            }
        }
    }

    #[test]
    fn an_oversight_is_one_of_the_allowed_moves() {
        for game in games() {
            let found = candidates(&game, &[0]);
            let chosen = Level::new(500).choose(&game, &found, &[found[0].m], &Network::embedded());
            assert_eq!(chosen.m, found[0].m);
        }
    }

    #[test]
    fn a_glance_sees_what_is_taken_but_not_what_is_lost() {
        // The queen can take a rook that a pawn protects.
        let position: Position = "4k3/8/2p5/3r4/8/8/8/3QK3 w - - 0 1".parse().unwrap();
        let seen = glance(&position, &position.legal_moves(), &Network::embedded());
        let best = seen.iter().max_by_key(|candidate| candidate.score).unwrap();
        assert_eq!(notation::format_uci(&position, best.m, false), "d1d5");
    }
}
