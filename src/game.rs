//! Layer 2: a position with the game that led to it.

use crate::board::{Outcome, Position, draw};
use crate::types::{Color, Move};

/// A position and the keys of those before it, so that repetitions are seen.
///
/// ```
/// use clavier::game::Game;
/// use clavier::board::{Outcome, Position, notation};
/// let mut game = Game::new(Position::start());
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
///     game.play(notation::parse_uci(game.position(), text).unwrap());
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Threefold));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// Keys of all positions before the present one, oldest first.
    keys: Vec<u64>,
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::start())
    }
}

impl Game {
    /// A game that starts from a position.
    pub fn new(position: Position) -> Game {
        Game { position, keys: Vec::new() }
    }

    /// The present position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the positions before the present one, oldest first.
    #[inline]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.keys.push(self.position.key());
        self.position = self.position.make(m);
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        1 + repetitions(self.position.key(), self.position.halfmoves(), &self.keys).count()
    }

    /// The first rule that ends the game or lets a player claim a draw, in the order of [`Outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        let facts = Facts::of(self);
        RULES.into_iter().find(|&rule| facts.hold(rule))
    }

    /// Every rule that holds.
    pub fn outcomes(&self) -> Vec<Outcome> {
        let facts = Facts::of(self);
        RULES.into_iter().filter(|&rule| facts.hold(rule)).collect()
    }

    /// The winner, if the game is won.
    pub fn winner(&self) -> Option<Color> {
        self.position.is_checkmate().then(|| !self.position.side_to_move())
    }
}

/// What several rules ask about, found once for all of them.
struct Facts<'a> {
    position: &'a Position,
    is_stuck: bool,
    occurrences: usize,
}

impl Facts<'_> {
    fn of(game: &Game) -> Facts<'_> {
        let is_stuck = !game.position.has_legal_move();
        // Nothing follows mate or stalemate, so such a position has not been there before.
        let occurrences = if is_stuck { 1 } else { game.occurrences() };
        Facts { position: &game.position, is_stuck, occurrences }
    }

    fn hold(&self, rule: Outcome) -> bool {
        let position = self.position;
        let is_mate = self.is_stuck && position.in_check();
        match rule {
            Outcome::Checkmate => is_mate,
            Outcome::Stalemate => self.is_stuck && !is_mate,
            Outcome::Insufficient => position.has_insufficient_material(),
            // A game that has ended on the board has no clock any more (9.6.2).
            Outcome::SeventyFive => position.halfmoves() >= draw::SEVENTY_FIVE_MOVES && !self.is_stuck,
            Outcome::Fivefold => self.occurrences >= 5,
            Outcome::Fifty => position.halfmoves() >= draw::FIFTY_MOVES && !self.is_stuck,
            Outcome::Threefold => self.occurrences >= 3,
        }
    }
}

/// All rules in the order in which they are asked.
const RULES: [Outcome; 7] = [
    Outcome::Checkmate,
    Outcome::Stalemate,
    Outcome::Insufficient,
    Outcome::SeventyFive,
    Outcome::Fivefold,
    Outcome::Fifty,
    Outcome::Threefold,
];

/// Indexes, latest first, of earlier positions with this key that the clock of irreversible moves allows.
/// A position can come back only after an even number of plies, at least four.
pub fn repetitions(key: u64, halfmoves: u32, earlier: &[u64]) -> impl Iterator<Item = usize> + '_ {
    const FIRST_RETURN: usize = 4;
    let oldest = earlier.len().saturating_sub(halfmoves as usize);
    (oldest..(earlier.len() + 1).saturating_sub(FIRST_RETURN))
        .rev()
        .step_by(2)
        .filter(move |&index| earlier[index] == key)
}
