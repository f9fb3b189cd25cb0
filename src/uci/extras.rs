//! Texts of the commands that people type.

use crate::board::{Position, backend};
use crate::eval::Appraisal;
use crate::game::Game;
use crate::types::{Color, Piece, Square};
use std::fmt::Write;

/// The answer to `help`.
pub const HELP: &str = "\
Clavier speaks UCI, the protocol of chess GUIs. The most useful commands:
  position startpos moves e2e4 e7e5   set a position (or: position fen FEN [moves ...])
  go depth 12                         search: depth N, nodes N, movetime MS, mate N, infinite,
                                      wtime MS btime MS winc MS binc MS movestogo N, ponder, searchmoves ...
  stop                                end the search
  setoption name Hash value 64        set an option; `uci` lists them
  ucinewgame                          forget the last game
  d                                   show the board
  eval                                show the static evaluation and what each man adds to it
  go perft 5                          count the leaves of the tree of legal moves
  flip                                swap the colors
  bench [DEPTH]                       search fixed positions
  wait                                read on when the search has ended
  quit                                leave
Everything else that Clavier can do: clavier --help";

/// The board with what is known about the position.
pub fn display(game: &Game) -> String {
    let position = game.position();
    let rule = " +---+---+---+---+---+---+---+---+\n";
    let mut text = format!("\n{rule}");
    for rank in (0..8).rev() {
        for file in 0..8 {
            let man = position.piece_on(Square::new(file, rank)).map_or(' ', Piece::letter);
            let _ = write!(text, " | {man}");
        }
        let _ = write!(text, " | {}\n{rule}", rank + 1);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<_> = position.checkers().map(|square| square.to_string()).collect();
    let outcome = game.outcome().map_or("none", |outcome| outcome.name());
    let _ = write!(
        text,
        "Fen: {position}\nKey: {:016X}\nCheckers: {}\nOutcome: {outcome}\nBackend: {}",
        position.key(),
        checkers.join(" "),
        backend::chosen().name(),
    );
    text
}

/// The static evaluation, seen from White: what each man adds, the chances, the value.
pub fn evaluation(position: &Position, appraisal: &Appraisal) -> String {
    if position.in_check() {
        return "Evaluation: none (in check)".to_owned();
    }
    let [win, draw, loss] = appraisal.wdl;
    let pawns = f64::from(appraisal.centipawns) / 100.0;
    format!("\n{appraisal}\n\nWDL: {win} {draw} {loss} (white side)\nEvaluation: {pawns:+.2} (white side)")
}

/// FEN of the position with colors swapped and the board turned over.
pub fn flip(position: &Position) -> String {
    let text = position.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let swap_case = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    let side = if position.side_to_move() == Color::White { 'b' } else { 'w' };
    let behind = position.en_passant().map_or("-".to_owned(), |square| square.flip_rank().to_string());
    format!(
        "{} {side} {} {behind} {} {}",
        swap_case(&ranks.join("/")),
        swap_case(fields[2]),
        position.halfmoves(),
        position.fullmove()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 3 9",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let flipped: Position = flip(&position).parse().unwrap();
            assert_eq!(flip(&flipped).parse::<Position>().unwrap().to_string(), fen);
            assert_eq!(flipped.legal_moves().len(), position.legal_moves().len());
        }
    }

    #[test]
    fn the_board_is_shown_with_its_facts() {
        let mate: Position = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
        let text = display(&Game::new(mate));
        assert!(text.contains(" | R |   |   |   |   |   | k |   | 8\n"), "{text}");
        assert!(text.contains("\nCheckers: a8\nOutcome: checkmate"), "{text}");
    }
}
