//! Proofs of mate: the attacker mates in so many moves against every defense.
//!
//! The tree of all moves up to that length is searched where the least work seems to be left: df-pn, a search
//! by proof numbers, <https://www.chessprogramming.org/Proof-Number_Search>. The number of moves left falls
//! on every way through the tree, so there are no cycles, and what is found is exact. The fifty-move rule and
//! repetitions do not count, as is the custom with problems; a shortest mate repeats nothing anyway.

mod table;

use crate::board::Position;
use crate::types::Move;
use table::{Effort, Table};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The side that mates.
    Attacker,
    /// The side that is mated.
    Defender,
}

/// A position, in which the attacker has so many moves left.
#[derive(Clone)]
struct Node {
    position: Position,
    role: Role,
    moves_left: u32,
}

/// A node with what is known of it.
struct Child {
    node: Node,
    effort: Effort,
}

/// What a look at a node's moves shows.
enum View {
    Settled(Effort),
    Open(Vec<Child>),
}

/// Finds and proves mates.
///
/// ```
/// use clavier::analysis::mate::Solver;
/// // Two rooks drive the king to the edge: not at once, but in two moves.
/// let position = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1".parse().unwrap();
/// let mut solver = Solver::new(1);
/// assert_eq!(solver.mate_in(&position, 1), None);
/// assert_eq!(solver.mate_in(&position, 5), Some(2));
/// assert_eq!(solver.line(&position, 2).len(), 3);
/// ```
pub struct Solver {
    table: Table,
    nodes: u64,
}

impl Solver {
    /// A solver that remembers as much as fits into so many MiB.
    pub fn new(hash_mb: usize) -> Solver {
        Solver { table: Table::new(hash_mb), nodes: 0 }
    }

    /// Positions whose moves have been looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The fewest moves in which the side to move mates, if it can in so many.
    pub fn mate_in(&mut self, position: &Position, most: u32) -> Option<u32> {
        (1..=most).find(|&moves| self.is_won(&Node::attack(*position, moves)))
    }

    /// The fewest moves in which the side to move is mated whatever it plays, if it is in so many; none, if it
    /// is mated already.
    pub fn mated_in(&mut self, position: &Position, most: u32) -> Option<u32> {
        (0..=most).find(|&moves| self.is_won(&Node::defense(*position, moves)))
    }

    /// A line of mate by the side to move in so many moves, the fewest that are needed, against the defense
    /// that holds out longest.
    pub fn line(&mut self, position: &Position, moves: u32) -> Vec<Move> {
        let (mut position, mut moves_left, mut line) = (*position, moves, Vec::new());
        while let Some(attack) = self.solutions(&position, moves_left).first().copied() {
            line.push(attack);
            position = position.make(attack);
            let Some((defense, moves)) = self.longest_defenses(&position, moves_left - 1).first().copied()
            else {
                break;
            };
            line.push(defense);
            position = position.make(defense);
            moves_left = moves;
        }
        line
    }

    /// All moves with which the side to move mates in so many moves or fewer.
    pub fn solutions(&mut self, position: &Position, moves: u32) -> Vec<Move> {
        let mut solutions = position.sorted_moves().to_vec();
        if moves == 0 {
            return Vec::new();
        }
        solutions.retain(|&m| self.is_won(&Node::defense(position.make(m), moves - 1)));
        solutions
    }

    /// The moves with which a side that is mated in at most so many moves holds out longest, and for how many.
    pub fn longest_defenses(&mut self, position: &Position, most: u32) -> Vec<(Move, u32)> {
        let mut defenses: Vec<(Move, u32)> = position
            .sorted_moves()
            .iter()
            .filter_map(|&m| Some((m, self.mate_in(&position.make(m), most)?)))
            .collect();
        let longest = defenses.iter().map(|&(_, moves)| moves).max();
        defenses.retain(|&(_, moves)| Some(moves) == longest);
        defenses
    }

    /// Does the attacker mate?
    fn is_won(&mut self, root: &Node) -> bool {
        let effort = self.search(root, Effort::ENDLESS);
        debug_assert!(effort.is_settled());
        effort.is_success() == (root.role == Role::Attacker)
    }

    /// Works on a node until it is settled or takes more effort than the limit.
    fn search(&mut self, node: &Node, limit: Effort) -> Effort {
        let mut children = match self.view(node) {
            View::Settled(effort) => {
                self.table.put(node.position.key(), node.moves_left, effort, node.role);
                return effort;
            }
            View::Open(children) => children,
        };
        loop {
            let effort = Effort::of_parent(children.iter().map(|child| child.effort));
            if effort.is_settled() || effort.exceeds(limit) {
                self.table.put(node.position.key(), node.moves_left, effort, node.role);
                return effort;
            }
            let (best, second) = most_promising(&children);
            let child = &mut children[best];
            let child_limit = limit.for_child(effort, child.effort, second);
            child.effort = self.search(&child.node, child_limit);
        }
    }

    fn view(&mut self, node: &Node) -> View {
        self.nodes += 1;
        let moves = node.position.sorted_moves();
        if moves.is_empty() {
            // Stalemate is what the defender wants; nobody wants to be mated.
            let is_saved = node.role == Role::Defender && !node.position.in_check();
            return View::Settled(Effort::settled(is_saved));
        }
        match node.role {
            Role::Attacker => self.view_attack(node, &moves),
            Role::Defender => self.view_defense(node, &moves),
        }
    }

    fn view_attack(&self, node: &Node, moves: &[Move]) -> View {
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            let position = node.position.make(m);
            let replies = position.count_moves();
            if replies == 0 && position.in_check() {
                return View::Settled(Effort::settled(true));
            }
            if replies > 0 && node.moves_left > 1 {
                let node = Node::defense(position, node.moves_left - 1);
                // The fewer replies, the sooner they are all refuted.
                let effort = self.known(&node).unwrap_or(Effort::guess(1, replies as u32));
                children.push(Child { node, effort });
            }
        }
        if children.is_empty() { View::Settled(Effort::settled(false)) } else { View::Open(children) }
    }

    fn view_defense(&self, node: &Node, moves: &[Move]) -> View {
        if node.moves_left == 0 {
            return View::Settled(Effort::settled(true));
        }
        let mut children = Vec::with_capacity(moves.len());
        for &m in moves {
            let node = Node::attack(node.position.make(m), node.moves_left);
            let effort = match self.known(&node) {
                Some(effort) => effort,
                None if node.moves_left == 1 => Effort::settled(mates_at_once(&node.position)),
                None => Effort::guess(1, 1),
            };
            if effort.is_settled() && !effort.is_success() {
                return View::Settled(Effort::settled(true));
            }
            children.push(Child { node, effort });
        }
        View::Open(children)
    }

    fn known(&self, node: &Node) -> Option<Effort> {
        self.table.get(node.position.key(), node.moves_left, node.role)
    }
}

impl Node {
    fn attack(position: Position, moves_left: u32) -> Node {
        Node { position, role: Role::Attacker, moves_left }
    }

    fn defense(position: Position, moves_left: u32) -> Node {
        Node { position, role: Role::Defender, moves_left }
    }
}

fn mates_at_once(position: &Position) -> bool {
    position.legal_moves().iter().any(|&m| position.make(m).is_checkmate())
}

/// Index of the child that is refuted most easily, and the effort that the next best would take.
fn most_promising(children: &[Child]) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, u32::MAX);
    for (index, child) in children.iter().enumerate() {
        let refute = child.effort.refute;
        if refute < least {
            (best, second, least) = (index, least, refute);
        } else {
            second = second.min(refute);
        }
    }
    (best, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[test]
    fn the_fewest_moves_are_found_and_the_line_ends_with_mate() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
            ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
            ("8/8/8/8/8/5k2/7r/5K2 b - - 0 1", 1),
        ] {
            let mut position = position(fen);
            let mut solver = Solver::new(1);
            let found = solver.mate_in(&position, 5);
            assert!(found.is_some_and(|found| found <= moves), "{fen}: {found:?}");
            let line = solver.line(&position, found.unwrap());
            assert_eq!(line.len() as u32, 2 * found.unwrap() - 1, "{fen}");
            for m in line {
                position = position.make(m);
            }
            assert!(position.is_checkmate(), "{fen}");
        }
    }

    #[test]
    fn stalemate_is_no_mate_and_mate_on_the_board_takes_no_move() {
        let mut solver = Solver::new(1);
        assert_eq!(solver.mated_in(&position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3), None);
        assert_eq!(solver.mate_in(&position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3), None);
        assert_eq!(solver.mated_in(&position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 3), Some(0));
    }

    #[test]
    fn a_lone_king_is_mated_whatever_it_plays() {
        // In the corner, with the queen and the king near.
        let position = position("7k/8/5K2/8/8/8/8/6Q1 b - - 0 1");
        let mut solver = Solver::new(1);
        assert_eq!(solver.mated_in(&position, 0), None);
        assert_eq!(solver.mated_in(&position, 2), Some(1));
        assert_eq!(solver.longest_defenses(&position, 1).len(), 1);
    }
}
