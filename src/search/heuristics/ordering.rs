//! Scores that order moves, and what a refutation teaches.

use crate::board::see;
use crate::search::tunables::tunables;
use crate::types::PieceKind;

tunables! {
    /// History: bonus per ply of remaining depth of the move that refuted, in history units.
    history_slope: 160 in 60..=320 step 20;
    /// History: largest bonus, in history units.
    history_most: 1600 in 600..=3000 step 100;
    /// History: what the moves tried in vain lose, in percent of that bonus.
    history_malus_share: 140 in 50..=250 step 10;
    /// History: share of the bonus that a quiet move earns if no reply to it is good, in percent.
    unanswered_share: 60 in 0..=200 step 10;
    /// Captures: weight of the man taken against the capture's history, in 1/100.
    capture_victim_weight: 1600 in 400..=4000 step 100;
    /// Captures: worth for one centipawn that the exchange may lose and still count as good.
    capture_worth_per_cp: 96 in 32..=256 step 16;
}

/// What a refuting move earns, in history units. Deep refutations are worth more, but not without bound.
/// <https://www.chessprogramming.org/History_Heuristic>
pub fn history_bonus(depth: i32) -> i32 {
    (history_slope() * depth).min(history_most())
}

/// What the moves tried before it in vain lose, in history units.
/// <https://www.chessprogramming.org/History_Heuristic>
pub fn history_malus(depth: i32) -> i32 {
    history_bonus(depth) * history_malus_share() / 100
}

/// What a quiet move earns to which the opponent has found no good reply, in history units: the mirror image of the
/// reply's refutation. <https://www.chessprogramming.org/History_Heuristic>
pub fn unanswered_bonus(depth: i32) -> i32 {
    history_bonus(depth) * unanswered_share() / 100
}

/// Worth of a capture or promotion, for ordering: most valuable victim first, then what its history says.
/// <https://www.chessprogramming.org/MVV-LVA>
pub fn noisy_worth(taken: Option<PieceKind>, promotion: Option<PieceKind>, history: i32) -> i32 {
    let victim = taken.map_or(0, see::value);
    let promoted = match promotion {
        Some(PieceKind::Queen) => see::value(PieceKind::Queen),
        // An underpromotion is hardly ever right: after everything else.
        Some(_) => -see::value(PieceKind::Queen),
        None => 0,
    };
    (victim + promoted) * capture_victim_weight() / 100 + history
}

/// What the exchange behind a capture must win at least so that it is searched before quiet moves, in
/// centipawns: the better the capture has done, the more it may seem to lose.
/// <https://www.chessprogramming.org/Static_Exchange_Evaluation>
pub fn good_capture_threshold(worth: i32) -> i32 {
    -worth.max(0) / capture_worth_per_cp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_is_taken_before_a_pawn_and_promotion_comes_first() {
        let queen = noisy_worth(Some(PieceKind::Queen), None, 0);
        let pawn = noisy_worth(Some(PieceKind::Pawn), None, 0);
        let promotion = noisy_worth(Some(PieceKind::Pawn), Some(PieceKind::Queen), 0);
        assert!(pawn < queen && queen < promotion);
        assert!(noisy_worth(None, Some(PieceKind::Knight), 0) < 0);
    }

    #[test]
    fn bonuses_grow_with_depth_up_to_a_limit() {
        assert!(history_bonus(2) < history_bonus(5));
        assert_eq!(history_bonus(100), history_bonus(200));
    }

    #[test]
    fn a_move_tried_in_vain_loses_more_than_a_refutation_earns() {
        assert!(history_malus(4) > history_bonus(4));
    }

    #[test]
    fn a_capture_that_has_done_well_may_seem_to_lose_a_little() {
        assert_eq!(good_capture_threshold(-50), 0);
        assert!(good_capture_threshold(20_000) < good_capture_threshold(5_000));
    }

    #[test]
    fn an_unanswered_move_earns_less_than_a_refutation() {
        assert!(unanswered_bonus(4) > 0 && unanswered_bonus(4) < history_bonus(4));
    }
}
