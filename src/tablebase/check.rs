//! Are the tables whole? Every table is probed at random positions, and each answer is compared with those
//! for the positions one move later: a table that is damaged inside contradicts itself.

use super::Tablebase;
use crate::board::{Position, Setup};
use crate::types::{Color, Piece, PieceKind};

/// Rounded distances of a position and its best successor may differ by so many plies.
const ROUNDING: u32 = 2;

/// What the probes of one material showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The material, such as `KQvKR`.
    pub material: String,
    /// Positions that were probed and found sound.
    pub sound: usize,
    /// Positions that need a table that is missing.
    pub unanswered: usize,
    /// The first fault.
    pub fault: Option<String>,
}

impl Tablebase {
    /// Probes so many positions of a material, until a fault shows. The same positions every time. Faults of
    /// materials checked before are forgotten.
    pub fn check(&mut self, material: &str, positions: usize) -> Verdict {
        self.fault.take();
        let mut verdict = Verdict { material: material.to_owned(), sound: 0, unanswered: 0, fault: None };
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..positions {
            match self.check_position(&random_position(material, &mut random)) {
                Ok(true) => verdict.sound += 1,
                Ok(false) => verdict.unanswered += 1,
                Err(fault) => {
                    verdict.fault = Some(fault);
                    break;
                }
            }
        }
        verdict
    }

    /// Is a position's answer that of its best successor? False if a table for it is missing.
    fn check_position(&self, position: &Position) -> Result<bool, String> {
        let answers = (self.probe_wdl(position), self.rank_root_moves(position, false));
        let dtz = self.probe_dtz(position);
        if let Some(fault) = self.fault() {
            return Err(fault.to_owned());
        }
        let (Some(wdl), Some(ranking)) = answers else {
            return Ok(!position.has_legal_move() && answers.0.is_some());
        };
        let contradiction =
            |what: &str| Err(format!("{what} contradicts that of the next move in {position}"));
        if wdl.under(false) != ranking.wdl() {
            return contradiction("the result");
        }
        match (dtz, ranking.best().dtz) {
            (Some(dtz), Some(next))
                if dtz.plies.signum() != next.signum() || dtz.plies.abs_diff(next) > ROUNDING =>
            {
                contradiction("the distance")
            }
            _ => Ok(true),
        }
    }
}

/// A random legal position with the men of a material such as `KQvKR`.
///
/// # Panics
/// If the material holds anything but letters of men and a `v`, or if no legal position has it.
pub fn random_position(material: &str, random: &mut fastrand::Rng) -> Position {
    const ATTEMPTS: usize = 100_000;
    let men = material.len() - 1;
    for _ in 0..ATTEMPTS {
        let mut board = [None; 64];
        let mut color = Color::White;
        for letter in material.chars() {
            match PieceKind::from_letter(letter) {
                None => color = Color::Black,
                Some(kind) => board[random.usize(..64)] = Some(Piece::new(color, kind)),
            }
        }
        let setup = Setup {
            board,
            side: Color::from_index(random.u8(..)),
            castling: String::new(),
            en_passant: None,
            halfmoves: 0,
            fullmove: 1,
            repairs: Vec::new(),
        };
        if board.iter().flatten().count() == men
            && let Ok((position, _)) = setup.into_position()
        {
            return position;
        }
    }
    panic!("no legal position with {material} was found");
}
