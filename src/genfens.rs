//! Layer 7: openings for engine tests, as `genfens` and OpenBench want them.

use crate::board::Position;
use crate::book::openings::{Openings, Source};
use crate::eval;
use crate::game::Game;
use crate::nnue::Network;
use crate::search::{Limits, Searcher, Silent};
use std::collections::HashSet;

/// Nodes of the search that looks whether an opening is sane.
const NODES: u64 = 3000;
/// An opening in which a side is this much ahead is no game, in centipawns.
const LIMIT_CP: i32 = 250;
/// No search is needed to see that this is no game, in centipawns.
const GLARING_CP: i32 = 1000;
/// After so many openings in a row that were bad or known the source is taken to be exhausted.
const PATIENCE: usize = 5000;
/// Memory of the searcher, in MiB.
const HASH_MB: usize = 1;

/// Too few different openings can be drawn from a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only {found} different openings could be drawn")]
pub struct Exhausted {
    /// How many were found.
    pub found: usize,
}

/// An endless supply of openings that are legal, not finished, about balanced and all different.
///
/// ```
/// use clavier::book::openings::Source;
/// use clavier::genfens::Supply;
/// let mut supply = Supply::new(Source::Standard, 42);
/// let opening = supply.draw().unwrap();
/// assert!(opening.has_legal_move());
/// ```
pub struct Supply {
    openings: Openings,
    searcher: Searcher,
    /// Keys of all openings that were looked at, sane or not.
    known: HashSet<u64>,
    found: usize,
}

impl Supply {
    /// A supply from a source; all 64 bits of the seed decide which openings come.
    pub fn new(source: Source, seed: u64) -> Supply {
        let plies = source.usual_plies();
        Supply {
            openings: Openings::new(source, plies, seed),
            searcher: Searcher::new(HASH_MB),
            known: HashSet::new(),
            found: 0,
        }
    }

    /// The next opening.
    ///
    /// # Errors
    /// If a book has no more openings that are sane and new.
    pub fn draw(&mut self) -> Result<Position, Exhausted> {
        for _ in 0..PATIENCE {
            let opening = self.openings.draw();
            if self.known.insert(opening.key()) && self.is_sane(&opening) {
                self.found += 1;
                return Ok(opening);
            }
        }
        Err(Exhausted { found: self.found })
    }

    /// Is neither side far ahead? The answer depends on the position alone.
    fn is_sane(&mut self, opening: &Position) -> bool {
        let is_ahead = |score, by_cp| eval::to_centipawns(score).abs() > by_cp;
        if is_ahead(eval::evaluate(opening, &Network::embedded()), GLARING_CP) {
            return false;
        }
        self.searcher.new_game();
        let report = self.searcher.search(&Game::new(*opening), &Limits::nodes(NODES), &mut Silent);
        report.lines.first().is_some_and(|line| !line.score.is_decided() && !is_ahead(line.score, LIMIT_CP))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(source: Source, seed: u64, count: usize) -> Vec<String> {
        let mut supply = Supply::new(source, seed);
        (0..count).map(|_| supply.draw().unwrap().to_string()).collect()
    }

    #[test]
    fn a_seed_decides_with_all_its_bits() {
        assert_eq!(openings(Source::Standard, 5, 3), openings(Source::Standard, 5, 3));
        assert_ne!(openings(Source::Standard, 5, 3), openings(Source::Standard, 5 | 1 << 63, 3));
    }

    #[test]
    fn openings_are_different_and_go_on() {
        let drawn = openings(Source::DoubleChess960, 1, 20);
        assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), 20);
        for fen in drawn {
            assert!(Game::new(fen.parse().unwrap()).outcome().is_none(), "{fen}");
        }
    }

    #[test]
    fn a_book_of_lost_positions_is_exhausted() {
        let lost: Position = "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1".parse().unwrap();
        let mut supply = Supply::new(Source::Book([lost].into()), 1);
        assert_eq!(supply.draw().unwrap_err(), Exhausted { found: 0 });
    }
}
