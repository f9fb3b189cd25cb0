//! The search's heuristics: one function each, with its parameters above it and the source of the idea in its
//! documentation. Each is told what it needs, most of all [`super::node::NodeFacts`] and [`super::node::MoveFacts`], and
//! looks at nothing else, so each can be tested alone.

pub(super) mod correction;
pub(super) mod cycles;
pub(super) mod effort;
pub(super) mod endgame_tables;
pub(super) mod late_moves;
pub(super) mod move_pruning;
pub(super) mod null_move;
pub(super) mod ordering;
pub(super) mod quiescence;
pub(super) mod reverse_futility;
pub(super) mod singular;
pub(super) mod windows;

use super::tunables::Tunable;

/// The parameters of every file.
pub(super) const TUNABLES: &[&[Tunable]] = &[
    correction::TUNABLES,
    cycles::TUNABLES,
    effort::TUNABLES,
    late_moves::TUNABLES,
    move_pruning::TUNABLES,
    null_move::TUNABLES,
    ordering::TUNABLES,
    quiescence::TUNABLES,
    reverse_futility::TUNABLES,
    singular::TUNABLES,
    windows::TUNABLES,
];

#[cfg(test)]
pub(super) mod testing {
    use crate::search::node::{MoveFacts, NodeFacts, Window};
    use crate::types::{Move, MoveKind, Score, Square};

    /// A quiet zero-window node, not in check, evaluated as `eval` against beta 0.
    pub fn node(depth: i32, eval: i32) -> NodeFacts {
        NodeFacts {
            depth,
            ply: 5,
            window: Window { alpha: Score(-1), beta: Score(0) },
            is_pv: false,
            expect_cut: true,
            in_check: false,
            eval: Some(Score(eval)),
            improving: false,
            has_pieces: true,
            after_null: false,
            hit: None,
            table_move_is_noisy: false,
            known: Window::OPEN,
            excluded: None,
        }
    }

    /// The node in check.
    pub fn in_check(node: NodeFacts) -> NodeFacts {
        NodeFacts { in_check: true, eval: None, ..node }
    }

    /// A quiet knight's move with a neutral history.
    pub fn quiet(number: i32) -> MoveFacts {
        MoveFacts {
            m: Move::new(Square::G1, Square::F3, MoveKind::Plain),
            is_quiet: true,
            is_killer: false,
            number,
            history: 0,
            extension: 0,
        }
    }
}
