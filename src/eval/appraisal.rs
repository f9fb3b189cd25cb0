//! What the network thinks of a position, and what each man adds to it: for people.

use super::{evaluate, fade, to_centipawns, wdl};
use crate::board::Position;
use crate::nnue::Network;
use crate::types::{Color, Piece, Score, Square};
use std::fmt;

/// The value of a position without a search, with the contribution of each man; all of it in White's view.
///
/// ```
/// use clavier::board::Position;
/// use clavier::eval::Appraisal;
/// use clavier::nnue::Network;
/// use clavier::types::Square;
/// let position: Position = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1".parse().unwrap();
/// let appraisal = Appraisal::new(&position, &Network::embedded());
/// assert!(appraisal.centipawns > 0);
/// assert_eq!(appraisal.contributions.len(), 1);
/// assert_eq!(appraisal.contributions[0].0, Square::A1);
/// ```
#[derive(Clone, Debug)]
pub struct Appraisal {
    /// Value in centipawns.
    pub centipawns: i32,
    /// Chances of win, draw and loss, in permill.
    pub wdl: [u32; 3],
    /// By how many centipawns the network's value sinks when the man on a square is taken off: negative for most black men.
    /// The kings, without whom there is no position, have none. From a1 to h8.
    pub contributions: Vec<(Square, i32)>,
    position: Position,
}

impl Appraisal {
    /// Values a position by a network.
    pub fn new(position: &Position, network: &Network) -> Appraisal {
        let score = evaluate(position, network);
        let mut chances = wdl(score, position);
        let mut centipawns = to_centipawns(score);
        if position.side_to_move() == Color::Black {
            chances.reverse();
            centipawns = -centipawns;
        }
        let mut contributions: Vec<_> = network
            .contributions(position)
            .into_iter()
            .map(|found| (found.square, to_centipawns(fade(Score(found.value), position))))
            .collect();
        contributions.sort_by_key(|&(square, _)| square.dense());
        Appraisal { centipawns, wdl: chances, contributions, position: *position }
    }

    /// A man's letter and below it his contribution in pawns, as they stand in a square of the board.
    fn cells(&self, square: Square) -> [String; 2] {
        let letter =
            self.position.piece_on(square).map_or(String::new(), |man: Piece| man.letter().to_string());
        let contribution = self.contributions.iter().find(|(other, _)| *other == square);
        [letter, contribution.map_or(String::new(), |(_, cp)| format!("{:+.2}", f64::from(*cp) / 100.0))]
    }
}

/// The board with the contribution of each man in pawns.
impl fmt::Display for Appraisal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = format!(" +{}\n", "-------+".repeat(8));
        f.write_str(&rule)?;
        for rank in (0..8).rev() {
            let cells: [_; 8] = std::array::from_fn(|file| self.cells(Square::new(file as u8, rank)));
            for (row, name) in [(0, format!(" {}", rank + 1)), (1, String::new())] {
                f.write_str(" |")?;
                for cell in &cells {
                    write!(f, "{:^7}|", cell[row])?;
                }
                writeln!(f, "{name}")?;
            }
            f.write_str(&rule)?;
        }
        f.write_str("     a       b       c       d       e       f       g       h")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn appraise(fen: &str) -> Appraisal {
        Appraisal::new(&fen.parse().unwrap(), &Network::embedded())
    }

    #[test]
    fn everything_is_seen_from_white() {
        // White is a queen up; whoever is to move.
        for fen in ["3qk3/pp6/8/8/8/8/PP6/Q2QK3 w - - 0 30", "3qk3/pp6/8/8/8/8/PP6/Q2QK3 b - - 0 30"] {
            let appraisal = appraise(fen);
            assert!(appraisal.centipawns > 200 && appraisal.wdl[0] > appraisal.wdl[2], "{appraisal:?}");
            let of = |square| appraisal.contributions.iter().find(|found| found.0 == square).unwrap().1;
            assert!(of(Square::A1) > 0 && of(Square::D8) < 0, "{appraisal:?}");
        }
    }

    #[test]
    fn contributions_fade_like_the_value_towards_the_fifty_move_draw() {
        let fresh = appraise("4k3/8/8/8/8/8/8/R3K3 w - - 0 60");
        let stale = appraise("4k3/8/8/8/8/8/8/R3K3 w - - 90 60");
        assert!(fresh.contributions[0].1 > stale.contributions[0].1 && stale.contributions[0].1 > 0);
    }

    #[test]
    fn the_board_shows_men_and_contributions_where_they_stand() {
        let appraisal = appraise("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1");
        let text = appraisal.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 26);
        assert_eq!(lines[1], " |       |       |       |       |   k   |       |       |       | 8");
        assert_eq!(lines[2], format!(" |{}", "       |".repeat(8)));
        assert_eq!(lines[19], " |       |   P   |       |       |       |       |       |       | 2");
        let pawns = f64::from(appraisal.contributions[0].1) / 100.0;
        assert_eq!(lines[20].split('|').nth(2).unwrap().trim(), format!("{pawns:+.2}"));
    }
}
