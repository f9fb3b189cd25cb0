//! Games by chance with material as their value: enough like real ones to test and time the training.

use super::games::{GameRecord, GameResult, ScoredMove, is_kept};
use super::sample::Sample;
use crate::board::Position;
use crate::types::{Color, PieceKind};

/// Longest game, in plies.
const LONGEST: usize = 140;
/// Values of pawn to queen.
const VALUES: [i32; 5] = [100, 320, 330, 500, 950];
/// Material that wins a game at its end.
const WINNING: i32 = 150;

/// White's material less Black's.
pub fn material(position: &Position) -> i32 {
    let of = |color| -> i32 {
        let kinds = PieceKind::ALL.into_iter().zip(VALUES);
        kinds.map(|(kind, value)| value * position.count(color, kind) as i32).sum()
    };
    of(Color::White) - of(Color::Black)
}

/// A game of random moves, half of them captures where there are any, that the side with more material wins.
pub fn random_game(seed: u64) -> GameRecord {
    let mut random = fastrand::Rng::with_seed(seed);
    let start = Position::start();
    let mut position = start;
    let mut moves = Vec::new();
    while moves.len() < LONGEST {
        let legal = position.legal_moves();
        let captures: Vec<_> = legal.iter().copied().filter(|&m| position.is_capture(m)).collect();
        let list = if !captures.is_empty() && random.bool() { &captures[..] } else { &legal[..] };
        let Some(&played) = random.choice(list) else { break };
        moves.push(ScoredMove { played, score: material(&position) as i16 });
        position = position.make(played);
    }
    let result = match material(&position) {
        WINNING.. => GameResult::WhiteWins,
        balance if balance <= -WINNING => GameResult::BlackWins,
        _ => GameResult::Draw,
    };
    GameRecord { start, result, moves }
}

/// Samples from such games.
pub fn random_samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(count + LONGEST);
    for game in 0.. {
        if samples.len() >= count {
            break;
        }
        let record = random_game(seed << 32 | game);
        let kept = record.positions().filter(|(position, scored)| is_kept(position, *scored));
        samples.extend(kept.map(|(position, scored)| Sample::new(&position, scored.score, record.result)));
    }
    samples.truncate(count);
    samples
}
