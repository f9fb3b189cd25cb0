//! Layer 1: the 0x88 board, its rules and its texts.
//!
//! [`Position`] is complete in itself: it prints its FEN, generates its moves and makes them. It is copied
//! to make a move and never unmade.
//!
//! ```
//! use clavier::board::{Position, notation};
//! let start = Position::start();
//! let e4 = notation::parse_uci(&start, "e2e4").unwrap();
//! let after = start.make(e4);
//! assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(after.legal_moves().len(), 20);
//! ```

mod attacks;
pub mod backend;
mod bare;
mod castle;
mod check;
mod count;
mod cycle;
mod delta;
mod difference;
pub mod draw;
pub mod fen;
mod generate;
mod legal;
mod man;
pub mod notation;
pub mod perft;
mod play;
pub mod san;
pub mod see;
mod shadow;
mod validate;
mod zobrist;

pub use delta::{Change, Delta};
pub use draw::Outcome;
pub use fen::{FenError, Repair, Setup};
pub use generate::Wanted;
pub use zobrist::Keys;

use crate::types::{CastlingRights, Color, Piece, PieceKind, Square, Wing};

/// No square: an index beside the board.
pub(crate) const NO_SQUARE: u8 = 0x88;

/// Slot of the king in every roster.
const KING_SLOT: usize = 0;

/// A legal chess position in 256 bytes: a 0x88 board with its roster, keys and clocks.
///
/// The 64-byte lines are laid out for vector registers: two lines of cells, one of roster, one of the rest.
/// A 0x88 board has a ghost half, indexes with bit 3 set that are no squares; cell `square + 8` tells the
/// roster slot of the man on `square`, so a man's entry is found without search.
///
/// ```
/// use clavier::board::{Position, san};
/// let mut position = Position::start();
/// for text in ["e4", "e5", "Qh5", "Ke7"] {
///     position = position.make(san::parse(&position, text).unwrap());
/// }
/// let mate = position.legal_moves().iter().copied().find(|&m| position.make(m).is_checkmate());
/// assert_eq!(san::format(&position, mate.unwrap()), "Qxe5#");
/// assert_eq!(position.to_string(), "rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQ - 2 3");
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Position {
    /// On a square the man's byte, 0 if empty; in the ghost half `color << 4 | slot` of that man.
    /// Ghosts of empty squares hold no meaning.
    cells: [u8; 128],
    /// Square of each slot, by color, the king first. Captured men's squares hold no meaning.
    squares: [[u8; 16]; 2],
    /// Bits of the kind in each slot, by color; 0 = nobody, or captured.
    kinds: [[u8; 16]; 2],
    keys: Keys,
    /// Men giving check, as lanes seen from the king: bit `8 * d` is the knight's jump `d`, bit `8 * d + n`
    /// the n-th square in direction `d`.
    checkers: u64,
    /// Slots of the side to move that are pinned to their king.
    pinned: u16,
    /// Plies since the last capture or pawn move.
    halfmoves: u16,
    fullmove: u32,
    rights: CastlingRights,
    /// Square on which a legal en passant capture lands, else [`NO_SQUARE`].
    en_passant: u8,
    side: Color,
    spare: u8,
    /// Squares of the rooks that may still castle, by [`CastlingRights::slot`], else [`NO_SQUARE`].
    rooks: [u8; 4],
}

const _: () = assert!(size_of::<Position>() == 256);

impl Position {
    /// The initial position of standard chess.
    ///
    /// # Panics
    /// Never: the text is right.
    pub fn start() -> Position {
        fen::START.parse().expect("the initial position is legal")
    }

    /// The side whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        man::piece(self.cells[square.index()])
    }

    /// Where a side's king stands.
    #[inline]
    pub fn king_square(&self, color: Color) -> Square {
        Square::known(self.squares[color.index()][KING_SLOT])
    }

    /// A side's men with their squares, the king first.
    pub fn men(&self, color: Color) -> impl Iterator<Item = (PieceKind, Square)> + '_ {
        let (kinds, squares) = (&self.kinds[color.index()], &self.squares[color.index()]);
        kinds
            .iter()
            .zip(squares)
            .filter(|&(&kind, _)| kind != 0)
            .map(|(&kind, &square)| (man::kind_of(kind), Square::known(square)))
    }

    /// Number of a side's men of a kind.
    pub fn count(&self, color: Color, kind: PieceKind) -> u32 {
        let wanted = man::bits_of(kind);
        self.kinds[color.index()].iter().map(|&found| u32::from(found == wanted)).sum()
    }

    /// Number of all men on the board, kings included.
    pub fn men_count(&self) -> u32 {
        self.kinds.as_flattened().iter().map(|&kind| u32::from(kind != 0)).sum()
    }

    /// Has the side any man but king and pawns? Without one, a side may be in zugzwang.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        let officers = man::KNIGHT | man::QUEEN;
        self.kinds[color.index()].iter().fold(0, |all, &kind| all | kind) & officers != 0
    }

    /// Has the side nothing but its king?
    #[inline]
    pub fn is_lone_king(&self, color: Color) -> bool {
        self.kinds[color.index()][KING_SLOT + 1..].iter().fold(0, |all, &kind| all | kind) == 0
    }

    /// The key of the whole position. Equal keys mean the same position in the sense of FIDE 9.2.3.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.main
    }

    /// All five keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Is the side to move in check?
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// Squares of the men that give check.
    pub fn checkers(&self) -> impl Iterator<Item = Square> + '_ {
        let king = self.king_square(self.side);
        let mut lanes = self.checkers;
        std::iter::from_fn(move || {
            (lanes != 0).then(|| {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                check::lane_square(king, lane)
            })
        })
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        u32::from(self.halfmoves)
    }

    /// Number of the move, starting at 1 and growing after Black's.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.fullmove
    }

    /// Castlings that are still allowed.
    #[inline]
    pub fn castling_rights(&self) -> CastlingRights {
        self.rights
    }

    /// Square of the rook with which a side may still castle.
    #[inline]
    pub fn castling_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        Square::from_0x88(self.rooks[CastlingRights::slot(color, wing)])
    }

    /// The square behind a pawn that has just made a double step, if it can be captured en passant legally.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        Square::from_0x88(self.en_passant)
    }

    /// Do the kings or the castling rooks not stand as in standard chess, so that castling has to be
    /// written as king takes rook?
    pub fn is_chess960(&self) -> bool {
        Color::BOTH.into_iter().any(|color| {
            Wing::BOTH.into_iter().any(|wing| {
                let rook_home = if wing == Wing::Short { 7 } else { 0 };
                self.castling_rook(color, wing).is_some_and(|rook| {
                    rook.file() != rook_home || self.king_square(color) != Square::new(4, color.home_rank())
                })
            })
        })
    }

    /// Does the move take a man?
    #[inline]
    pub fn is_capture(&self, m: crate::types::Move) -> bool {
        (self.cells[m.to().index()] != 0 && !m.is_castling()) || m.is_en_passant()
    }

    /// Is the move a capture or a promotion, so that it changes the material?
    #[inline]
    pub fn is_noisy(&self, m: crate::types::Move) -> bool {
        self.is_capture(m) || m.is_promotion()
    }

    /// The kind of man that the move takes.
    #[inline]
    pub fn captured(&self, m: crate::types::Move) -> Option<PieceKind> {
        if m.is_en_passant() {
            Some(PieceKind::Pawn)
        } else if m.is_castling() {
            None
        } else {
            self.piece_on(m.to()).map(|piece| piece.kind)
        }
    }
}
