//! What an analysis says about a whole game, and how it is written into it.

use super::super::pgn::{Line, Tree};
use super::super::{Analysis, ENGINE};
use super::judge::{Cost, Mark, Standing, Summary, Thresholds, eval_comment};
use crate::types::{Color, Move};

/// Plies of a better line that are shown.
const LONGEST_LINE: usize = 12;

/// Which moves of a game are annotated, and how they are marked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// Marks for losses.
    pub thresholds: Thresholds,
    /// Only the moves of this side.
    pub only_side: Option<Color>,
    /// Only moves from this one on; the first of either side are 1 and 2.
    pub from_ply: usize,
}

impl Manner {
    /// Is the move with this index annotated?
    fn covers(&self, tree: &Tree, index: usize) -> bool {
        tree.line.moves.get(index).is_some_and(|ply| {
            index + 1 >= self.from_ply && self.only_side.is_none_or(|side| ply.side() == side)
        })
    }

    /// Indexes of the positions that have to be analyzed: those before and after the annotated moves.
    pub fn positions(&self, tree: &Tree) -> impl Iterator<Item = usize> {
        (0..=tree.line.moves.len()).filter(|&index| {
            self.covers(tree, index) || index.checked_sub(1).is_some_and(|before| self.covers(tree, before))
        })
    }
}

/// What is said about a move.
#[derive(Clone, Debug)]
pub struct Remark {
    /// What the move costs; nothing is known of a pass.
    pub cost: Option<Cost>,
    /// Its mark.
    pub mark: Option<Mark>,
    /// What should have been played, if the move has a mark.
    pub better: Vec<Move>,
}

/// What is said about a game.
#[derive(Clone, Debug)]
pub struct Review {
    /// Analyses of the positions before each move and after the last, where there are some.
    pub analyses: Vec<Option<Analysis>>,
    /// Remarks about the moves that are annotated.
    pub remarks: Vec<Option<Remark>>,
    /// White's and Black's moves together, if any of theirs are annotated.
    pub players: [Option<Summary>; 2],
}

impl Review {
    /// The review of a game from the analyses of the positions that its manner asks for, in their order.
    pub fn new(tree: &Tree, found: Vec<Analysis>, manner: &Manner) -> Review {
        let mut analyses = vec![None; tree.line.moves.len() + 1];
        for (index, analysis) in manner.positions(tree).zip(found) {
            analyses[index] = Some(analysis);
        }
        let remark = |index| {
            let is_annotated = manner.covers(tree, index);
            let pair = analyses[index].as_ref().zip(analyses[index + 1].as_ref());
            pair.filter(|_| is_annotated).map(|(before, after)| {
                Remark::new(tree.line.moves[index].m, before, after, manner.thresholds)
            })
        };
        let remarks: Vec<Option<Remark>> = (0..tree.line.moves.len()).map(remark).collect();
        let players = Color::BOTH.map(|side| {
            let own = tree.line.moves.iter().zip(&remarks).filter(|(ply, _)| ply.side() == side);
            let judged = own.filter_map(|(_, remark)| {
                remark.as_ref().and_then(|remark| Some((remark.cost?, remark.mark)))
            });
            Some(Summary::of(judged)).filter(|summary| summary.moves > 0)
        });
        Review { analyses, remarks, players }
    }

    /// Writes values, marks, better lines and tags into the game. What stands there stays, but for values of
    /// other analyses.
    pub fn write_into(&self, tree: &mut Tree) {
        for (index, ply) in tree.line.moves.iter_mut().enumerate() {
            let Some(remark) = &self.remarks[index] else { continue };
            let eval = self.analyses[index + 1].as_ref().and_then(eval_comment);
            set_eval(&mut ply.comments, eval);
            let nag = remark.mark.map(Mark::nag).filter(|nag| !ply.nags.contains(nag));
            ply.nags.extend(nag);
            let is_known = ply
                .variations
                .iter()
                .any(|line| line.moves.first().and_then(|ply| ply.m) == remark.better.first().copied());
            if !remark.better.is_empty() && !is_known {
                ply.variations.push(Line::of(&ply.game, &remark.better));
            }
        }
        for (side, summary) in ["White", "Black"].into_iter().zip(self.players) {
            if let Some(summary) = summary {
                tree.set_tag(&format!("{side}Accuracy"), format!("{:.1}", summary.accuracy));
                tree.set_tag(&format!("{side}AverageLoss"), format!("{:.0}", summary.average_loss));
            }
        }
        if tree.tag("Annotator").is_none() {
            tree.set_tag("Annotator", ENGINE.to_owned());
        }
    }
}

impl Remark {
    fn new(played: Option<Move>, before: &Analysis, after: &Analysis, thresholds: Thresholds) -> Remark {
        let Some(played) = played else { return Remark { cost: None, mark: None, better: Vec::new() } };
        // No better move is known than the best one: what the next search sees, this one would have met too.
        let is_best = before.report.best == Some(played);
        let cost =
            if is_best { Cost::default() } else { Cost::between(Standing::of(before), Standing::of(after)) };
        let mark = thresholds.mark(cost.chance);
        let line = before.report.lines.first().filter(|_| mark.is_some());
        let better = line.map_or_else(Vec::new, |line| line.pv.iter().copied().take(LONGEST_LINE).collect());
        Remark { cost: Some(cost), mark, better }
    }
}

/// Puts a value in front of the first comment, in the place of one that was there.
fn set_eval(comments: &mut Vec<String>, eval: Option<String>) {
    for comment in comments.iter_mut() {
        *comment = without_eval(comment);
    }
    comments.retain(|comment| !comment.is_empty());
    match (eval, comments.first_mut()) {
        (Some(eval), Some(first)) => *first = format!("{eval} {first}"),
        (Some(eval), None) => comments.push(eval),
        (None, _) => {}
    }
}

/// The comment without values.
fn without_eval(comment: &str) -> String {
    let mut text = comment.to_owned();
    while let Some(start) = text.find("[%eval")
        && let Some(length) = text[start..].find(']')
    {
        let rest = text[start + length + 1..].trim_start().to_owned();
        text.truncate(start);
        text.push_str(&rest);
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_value_takes_the_place_of_the_old_one() {
        let with = |comments: &[&str]| {
            let mut comments = comments.iter().map(ToString::to_string).collect();
            set_eval(&mut comments, Some("[%eval 0.34,20]".to_owned()));
            comments
        };
        assert_eq!(with(&[]), ["[%eval 0.34,20]"]);
        assert_eq!(with(&["[%eval 1.0] [%clk 0:01:00]", "good"]), ["[%eval 0.34,20] [%clk 0:01:00]", "good"]);
        assert_eq!(with(&["[%eval #-3]"]), ["[%eval 0.34,20]"]);
        assert_eq!(with(&["I see [%eval"]), ["[%eval 0.34,20] I see [%eval"]);
    }
}
