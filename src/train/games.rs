//! Whole games as bytes, in viriformat: 32 bytes for the first position and the result, 4 bytes a move, and
//! 4 zero bytes at the end. Own code, because a damaged file must give an error and never a panic; the crate
//! `viriformat` is the oracle of the tests. The format: <https://github.com/cosmobobak/viriformat>.
//!
//! | bytes | first position |
//! |---|---|
//! | 0-7 | occupied squares, a1 = bit 0, h8 = bit 63 |
//! | 8-23 | a nibble for each man in the order of squares: kind, 6 for a rook that may castle, 8 more for Black |
//! | 24 | en passant square, 64 = none; 128 more if Black is to move |
//! | 25, 26-27 | plies since the last capture or pawn move; number of the move |
//! | 28-29 | value of the position, 0 in games |
//! | 30 | the result: 0 Black wins, 1 draw, 2 White wins |
//! | 31 | free |
//!
//! A move is `from | to << 6 | promotion << 12 | flag << 14` (flag 1 en passant, 2 castling as king takes rook,
//! 3 promotion to 0 knight .. 3 queen), then the value of the position before it, for White.

use super::shuffle::mix_bytes;
use crate::board::{FenError, Position, Setup};
use crate::types::{Color, Move, MoveKind, Piece, PieceKind, Score, Square, Wing};

/// Bytes of the first position.
pub(super) const HEADER_BYTES: usize = 32;
/// Bytes of a move with its value, and of the end mark.
const MOVE_BYTES: usize = 4;
/// The end of a game.
const END: [u8; MOVE_BYTES] = [0; MOVE_BYTES];
/// Code of a rook that may still castle.
const CASTLING_ROOK: u8 = 6;
/// Number for "no square".
const NO_SQUARE: u8 = 64;

/// The result of a game. The number is that of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameResult {
    /// Black has won.
    BlackWins = 0,
    /// Nobody has won.
    Draw = 1,
    /// White has won.
    WhiteWins = 2,
}

impl GameResult {
    /// The result when a color wins.
    pub const fn win_of(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// White's points: 0, 0.5 or 1.
    pub fn points(self) -> f32 {
        f32::from(self as u8) / 2.0
    }
}

/// A move of a game with the searched value of the position in which it was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub played: Move,
    /// The value for White, in the engine's internal units.
    pub score: i16,
}

/// A game from its first recorded position to its end.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The position after the opening.
    pub start: Position,
    /// How the game ended.
    pub result: GameResult,
    /// The moves.
    pub moves: Vec<ScoredMove>,
}

/// Why bytes are no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum GameError {
    #[error("the game breaks off")]
    Torn,
    #[error("{0} men on the board, more than 32")]
    TooManyMen(u32),
    #[error("man number {0} of the first position is of no known kind")]
    UnknownMan(usize),
    #[error("{0} is no result")]
    Result(u8),
    #[error("{0} is no bound")]
    Bound(u8),
    #[error("no block of positions begins here")]
    Block,
    #[error("the first position is illegal: {0}")]
    Start(#[from] FenError),
    #[error("move {number} of the game is illegal: {text} in {fen}")]
    IllegalMove { number: usize, text: String, fen: String },
}

impl GameRecord {
    /// Appends the game's bytes.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&encode_start(&self.start, self.result));
        for scored in &self.moves {
            bytes.extend_from_slice(&encode_move(scored.played).to_le_bytes());
            bytes.extend_from_slice(&scored.score.to_le_bytes());
        }
        bytes.extend_from_slice(&END);
    }

    /// Reads the game at the start of the bytes, every move checked, and tells how many bytes it takes.
    ///
    /// # Errors
    /// A [`GameError`] that names the fault.
    pub fn decode(bytes: &[u8]) -> Result<(GameRecord, usize), GameError> {
        let length = encoded_length(bytes).ok_or(GameError::Torn)?;
        let (header, rest) = bytes[..length - MOVE_BYTES].split_at(HEADER_BYTES);
        let (start, result) = decode_start(header)?;
        let mut moves = Vec::with_capacity(rest.len() / MOVE_BYTES);
        let mut position = start;
        for word in rest.chunks_exact(MOVE_BYTES) {
            let code = u16::from_le_bytes([word[0], word[1]]);
            let played = decode_move(&position, code).filter(|&m| position.is_legal(m)).ok_or_else(|| {
                let text = describe_code(code);
                GameError::IllegalMove { number: moves.len() + 1, text, fen: position.to_string() }
            })?;
            moves.push(ScoredMove { played, score: i16::from_le_bytes([word[2], word[3]]) });
            position = position.make(played);
        }
        Ok((GameRecord { start, result, moves }, length))
    }

    /// A number made of the game's bytes.
    pub fn fingerprint(&self) -> u64 {
        let mut bytes = Vec::new();
        self.encode(&mut bytes);
        fingerprint(&bytes)
    }

    /// The positions of the game, each with the move played in it.
    pub fn positions(&self) -> impl Iterator<Item = (Position, ScoredMove)> + '_ {
        self.moves.iter().scan(self.start, |position, scored| {
            let before = *position;
            *position = before.make(scored.played);
            Some((before, *scored))
        })
    }
}

/// A number made of a game's bytes.
pub fn fingerprint(game: &[u8]) -> u64 {
    mix_bytes(0, game)
}

/// Is a position with this move and value fit to learn from? Its value must be one that an evaluation without search
/// can know: no check, no exchange under way, no mate in sight.
pub fn is_kept(position: &Position, scored: ScoredMove) -> bool {
    !position.in_check() && !position.is_noisy(scored.played) && !Score(i32::from(scored.score)).is_decided()
}

/// Bytes of the game at the start of the bytes, told from its end mark alone; none if it is torn.
pub fn encoded_length(bytes: &[u8]) -> Option<usize> {
    let moves = bytes.get(HEADER_BYTES..)?;
    let count = moves.chunks_exact(MOVE_BYTES).position(|word| word == END)?;
    Some(HEADER_BYTES + (count + 1) * MOVE_BYTES)
}

pub(super) fn encode_start(position: &Position, result: GameResult) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let mut occupied = 0u64;
    let men = Square::all().filter_map(|square| Some((square, position.piece_on(square)?)));
    for (number, (square, piece)) in men.enumerate() {
        occupied |= 1 << square.dense();
        bytes[8 + number / 2] |= man_code(position, square, piece) << (number % 2 * 4);
    }
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    let en_passant = position.en_passant().map_or(NO_SQUARE, |square| square.dense() as u8);
    bytes[24] = en_passant | (position.side_to_move() as u8) << 7;
    bytes[25] = position.halfmoves().min(u32::from(u8::MAX)) as u8;
    let fullmove = position.fullmove().min(u32::from(u16::MAX)) as u16;
    bytes[26..28].copy_from_slice(&fullmove.to_le_bytes());
    bytes[30] = result as u8;
    bytes
}

fn man_code(position: &Position, square: Square, piece: Piece) -> u8 {
    let castles = Wing::BOTH.iter().any(|&wing| position.castling_rook(piece.color, wing) == Some(square));
    let kind = if castles { CASTLING_ROOK } else { piece.kind as u8 };
    kind | (piece.color as u8) << 3
}

pub(super) fn decode_start(bytes: &[u8]) -> Result<(Position, GameResult), GameError> {
    let result = match bytes[30] {
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        2 => GameResult::WhiteWins,
        other => return Err(GameError::Result(other)),
    };
    let mut setup = Setup {
        board: [None; 64],
        side: Color::from_index(bytes[24] >> 7),
        castling: String::new(),
        en_passant: Some(bytes[24] & 0x7f).filter(|&dense| dense < NO_SQUARE).map(Square::from_dense),
        halfmoves: u16::from(bytes[25]),
        fullmove: u32::from(u16::from_le_bytes([bytes[26], bytes[27]]).max(1)),
        repairs: Vec::new(),
    };
    place_men(&mut setup, bytes)?;
    let (position, _) = setup.into_position()?;
    Ok((position, result))
}

/// Puts the men on the board and notes the castling rooks in the letters of Shredder-FEN.
fn place_men(setup: &mut Setup, bytes: &[u8]) -> Result<(), GameError> {
    let occupied = u64::from_le_bytes(std::array::from_fn(|index| bytes[index]));
    if occupied.count_ones() > 32 {
        return Err(GameError::TooManyMen(occupied.count_ones()));
    }
    let squares = Square::all().filter(|square| occupied >> square.dense() & 1 != 0);
    for (number, square) in squares.enumerate() {
        let code = bytes[8 + number / 2] >> (number % 2 * 4) & 15;
        let color = Color::from_index(code >> 3);
        let kind = match code & 7 {
            CASTLING_ROOK => {
                let rook = Piece::new(color, PieceKind::Rook).letter();
                let file = b'a' + square.file();
                let letter = if rook.is_ascii_uppercase() { file.to_ascii_uppercase() } else { file };
                setup.castling.push(letter as char);
                PieceKind::Rook
            }
            other => *PieceKind::ALL.get(usize::from(other)).ok_or(GameError::UnknownMan(number + 1))?,
        };
        setup.board[square.dense()] = Some(Piece::new(color, kind));
    }
    Ok(())
}

fn encode_move(m: Move) -> u16 {
    let special = match m.kind() {
        MoveKind::Plain | MoveKind::DoubleStep => 0,
        MoveKind::EnPassant => 1 << 14,
        MoveKind::Castling => 2 << 14,
        MoveKind::PromoteKnight => 3 << 14,
        MoveKind::PromoteBishop => 3 << 14 | 1 << 12,
        MoveKind::PromoteRook => 3 << 14 | 2 << 12,
        MoveKind::PromoteQueen => 3 << 14 | 3 << 12,
    };
    m.from().dense() as u16 | (m.to().dense() as u16) << 6 | special
}

/// The move of a code, which may be illegal; none for bits that no move has.
fn decode_move(position: &Position, code: u16) -> Option<Move> {
    let (from, to) = code_squares(code);
    let promotion = PieceKind::ALL[usize::from(code >> 12 & 3) + 1];
    let kind = match code >> 14 {
        0 if is_double_step(position, from, to) => MoveKind::DoubleStep,
        0 => MoveKind::Plain,
        1 => MoveKind::EnPassant,
        2 => MoveKind::Castling,
        _ => MoveKind::promotion(promotion),
    };
    (from != to).then(|| Move::new(from, to, kind))
}

fn is_double_step(position: &Position, from: Square, to: Square) -> bool {
    from.rank().abs_diff(to.rank()) == 2
        && position.piece_on(from).is_some_and(|piece| piece.kind == PieceKind::Pawn)
}

fn code_squares(code: u16) -> (Square, Square) {
    (Square::from_dense((code & 63) as u8), Square::from_dense((code >> 6 & 63) as u8))
}

fn describe_code(code: u16) -> String {
    let (from, to) = code_squares(code);
    format!("{from}{to} (code {code:#06x})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation;
    use viriformat::dataformat::{Game as Oracle, WDL};

    /// A game of moves by chance from a position.
    fn random_game(fen: &str, seed: u64) -> GameRecord {
        let mut random = fastrand::Rng::with_seed(seed);
        let start: Position = fen.parse().unwrap();
        let mut position = start;
        let mut moves = Vec::new();
        while moves.len() < 120 {
            let Some(played) = random.choice(position.legal_moves().iter().copied()) else { break };
            moves.push(ScoredMove { played, score: random.i16(-3000..3000) });
            position = position.make(played);
        }
        let result = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins][random.usize(..3)];
        GameRecord { start, result, moves }
    }

    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        // White may capture en passant, and only some castlings are left.
        "r3k2r/ppp1pppp/8/3pP3/8/8/PPPP1PPP/R3K2R w Kq d6 0 12",
        // Chess960: king between the rooks, off the e-file.
        "1rk2rbn/pppppppp/8/8/8/8/PPPPPPPP/NRK2RBB b FBfb - 0 7",
        // Promotions at once.
        "1n2k3/P1P5/8/8/8/8/5p1p/3K2N1 b - - 11 60",
    ];

    #[test]
    fn a_game_reads_back_as_it_was_written() {
        for (seed, fen) in (0..40).zip(STARTS.iter().cycle()) {
            let game = random_game(fen, seed);
            let mut bytes = vec![];
            game.encode(&mut bytes);
            let length = bytes.len();
            bytes.extend_from_slice(b"what follows");
            let (back, used) = GameRecord::decode(&bytes).unwrap();
            assert_eq!(used, length);
            assert_eq!(back.start.to_string(), game.start.to_string());
            assert_eq!((back.result, &back.moves), (game.result, &game.moves));
        }
    }

    #[test]
    fn the_oracle_reads_what_we_write() {
        for (seed, fen) in (100..140).zip(STARTS.iter().cycle()) {
            let game = random_game(fen, seed);
            let mut bytes = vec![];
            game.encode(&mut bytes);
            let oracle = Oracle::deserialise_from(&mut bytes.as_slice(), vec![]).unwrap();
            let start: Position = oracle.initial_position().to_string().parse().unwrap();
            assert_eq!(start.to_string(), game.start.to_string());
            let expected = match oracle.outcome() {
                WDL::Win => GameResult::WhiteWins,
                WDL::Draw => GameResult::Draw,
                WDL::Loss => GameResult::BlackWins,
            };
            assert_eq!(game.result, expected);
            let mut scores = vec![];
            oracle.visit_positions(|_, score| scores.push(score as i16));
            let texts: Vec<_> = oracle.moves().map(|m| m.display(true).to_string()).collect();
            let ours = game.positions().map(|(position, scored)| {
                (notation::format_uci(&position, scored.played, true), scored.score)
            });
            assert!(ours.eq(texts.into_iter().zip(scores)));
            let mut again = vec![];
            oracle.serialise_into(&mut again).unwrap();
            assert_eq!(bytes, again);
        }
    }

    #[test]
    fn a_torn_game_is_told_from_a_damaged_one() {
        let mut bytes = vec![];
        random_game(STARTS[0], 7).encode(&mut bytes);
        for length in [0, 31, 32, 33, bytes.len() - 1] {
            assert_eq!(GameRecord::decode(&bytes[..length]).err(), Some(GameError::Torn), "{length}");
        }
        let mut damaged = bytes.clone();
        damaged[HEADER_BYTES] ^= 0x15; // another first move, from a square without a man to move
        assert!(matches!(GameRecord::decode(&damaged), Err(GameError::IllegalMove { number: 1, .. })));
        let mut damaged = bytes.clone();
        damaged[30] = 3;
        assert_eq!(GameRecord::decode(&damaged).err(), Some(GameError::Result(3)));
        let mut damaged = bytes;
        damaged[8] = 0xff;
        assert!(matches!(GameRecord::decode(&damaged), Err(GameError::UnknownMan(1))));
    }

    #[test]
    fn random_bytes_never_panic() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut good = vec![];
        random_game(STARTS[1], 9).encode(&mut good);
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..random.usize(1..5) {
                let place = random.usize(..bytes.len());
                bytes[place] = random.u8(..);
            }
            let _ = GameRecord::decode(&bytes);
        }
    }

    #[test]
    fn checks_captures_and_mates_are_not_kept() {
        let kept = |fen: &str, text: &str, score: i16| {
            let position: Position = fen.parse().unwrap();
            is_kept(&position, ScoredMove { played: notation::parse_uci(&position, text).unwrap(), score })
        };
        assert!(kept(STARTS[0], "e2e4", 30));
        assert!(!kept(STARTS[0], "e2e4", 31990), "mate in sight");
        assert!(!kept("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 30), "a capture");
        assert!(!kept("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1f1", 30), "in check");
        assert!(!kept("k7/7P/8/8/8/8/8/4K3 w - - 0 1", "h7h8q", 900), "a promotion");
    }
}
