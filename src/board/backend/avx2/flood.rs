//! Whole sides at once: sliders that flood the board, four directions upwards and four downwards.
//!
//! ```text
//!   word            0         1          2        3            the line of both
//!   upwards, <<     north 8   n.-east 9  east 1   n.-west 7
//!   downwards, >>   south 8   s.-west 9  west 1   s.-east 7
//!   sliders         rooks     bishops    rooks    bishops
//! ```
//! Three rounds double the reach, 1, 2, 4 squares; a last step enters the first man's square (Kogge and Stone,
//! <https://www.chessprogramming.org/Kogge-Stone_Algorithm>). A shift that leaves the board on one side comes
//! in on the other; the landing squares wipe that out. No square is reached twice in one direction, so the
//! number of moves is the number of bits.

use super::super::limits::{KingFacts, Limits};
use super::super::sets::{self, Men, Set};
use super::look::Cells;
use super::{Lanes, Pair, Words};
use crate::types::Step;
use std::arch::x86_64::*;

/// The upward directions, as numbers in [`Step::COMPASS`], and the opposite ones.
const UP: [usize; 4] = [0, 1, 2, 7];
const DOWN: [usize; 4] = [4, 5, 6, 3];
/// The upward jumps, as numbers in [`Step::JUMPS`], and the opposite ones.
const JUMPS_UP: [usize; 4] = [0, 1, 6, 7];
const JUMPS_DOWN: [usize; 4] = [4, 5, 2, 3];

/// Upward distances, so many times.
const fn distances(steps: [Step; 8], up: [usize; 4], times: u64) -> Words {
    let mut table = [0; 4];
    let mut word = 0;
    while word < 4 {
        table[word] = sets::dense_distance(steps[up[word]]) as u64 * times;
        word += 1;
    }
    Words(table)
}

/// Squares that a step into each direction may enter.
const fn landings(steps: [Step; 8], directions: [usize; 4]) -> Words {
    let mut table = [0; 4];
    let mut word = 0;
    while word < 4 {
        table[word] = sets::landing(steps[directions[word]]);
        word += 1;
    }
    Words(table)
}

static ONE_STEP: Words = distances(Step::COMPASS, UP, 1);
static TWO_STEPS: Words = distances(Step::COMPASS, UP, 2);
static FOUR_STEPS: Words = distances(Step::COMPASS, UP, 4);
static LANDING: [Words; 2] = [landings(Step::COMPASS, UP), landings(Step::COMPASS, DOWN)];
static JUMP: Words = distances(Step::JUMPS, JUMPS_UP, 1);
static JUMP_LANDING: [Words; 2] = [landings(Step::JUMPS, JUMPS_UP), landings(Step::JUMPS, JUMPS_DOWN)];

/// The same set in all words.
#[target_feature(enable = "avx2")]
#[inline]
fn splat(set: Set) -> __m256i {
    _mm256_set1_epi64x(set as i64)
}

/// The same four words in both registers.
#[inline]
fn both(words: __m256i) -> Pair {
    Pair(words, words)
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_both(words: &[Words; 2]) -> Pair {
    Pair(words[0].load(), words[1].load())
}

impl Pair {
    /// Moves the words of the first register up, those of the second one down.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn shifted(self, distances: &Words) -> Pair {
        let distances = distances.load();
        Pair(_mm256_sllv_epi64(self.0, distances), _mm256_srlv_epi64(self.1, distances))
    }

    /// All words in one.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn union(self) -> Set {
        let four = _mm256_or_si256(self.0, self.1);
        let two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
        (_mm_cvtsi128_si64(two) | _mm_extract_epi64::<1>(two)) as u64
    }
}

/// Sets of the squares of each kind that moves in floods and jumps, and of each color.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    pawns: Set,
    knights: Set,
    diagonals: Set,
    straights: Set,
    colors: [Set; 2],
}

impl Kinds {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn of(cells: Cells) -> Kinds {
        let men = cells.by_number();
        Kinds {
            pawns: plane::<7>(men),
            knights: plane::<6>(men),
            diagonals: plane::<5>(men),
            straights: plane::<4>(men),
            colors: [plane::<1>(men), plane::<0>(men)],
        }
    }

    /// All pawns.
    #[inline]
    pub(super) const fn pawns(self) -> Set {
        self.pawns
    }

    /// All knights.
    #[inline]
    pub(super) const fn knights(self) -> Set {
        self.knights
    }

    /// All bishops and queens.
    #[inline]
    pub(super) const fn diagonals(self) -> Set {
        self.diagonals
    }

    /// All rooks and queens.
    #[inline]
    pub(super) const fn straights(self) -> Set {
        self.straights
    }

    /// All men of a color.
    #[inline]
    pub(super) const fn color<const COLOR: usize>(self) -> Set {
        self.colors[COLOR]
    }

    /// The sets of officers after a man with these bits has arrived on one of the changed squares.
    #[inline]
    pub(super) fn after(self, changed: Set, to: Set, arriving: u8) -> Kinds {
        let update = |set: Set, bit: u32| set & !changed | if arriving >> bit & 1 != 0 { to } else { 0 };
        Kinds {
            knights: update(self.knights, 1),
            diagonals: update(self.diagonals, 2),
            straights: update(self.straights, 3),
            ..self
        }
    }
}

/// Squares of the men with the bit that a shift by so much brings to the top of each byte.
#[target_feature(enable = "avx2")]
#[inline]
fn plane<const SHIFT: i32>(men: Pair) -> Set {
    Pair(_mm256_slli_epi16::<SHIFT>(men.0), _mm256_slli_epi16::<SHIFT>(men.1)).top_bits()
}

/// Empty squares, flooded over in one, two and four steps.
struct Open {
    one: Pair,
    two: Pair,
    four: Pair,
}

impl Open {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn new(empty: Set) -> Open {
        let one = both(splat(empty)).and(load_both(&LANDING));
        let two = one.and(one.shifted(&ONE_STEP));
        let four = two.and(two.shifted(&TWO_STEPS));
        Open { one, two, four }
    }

    /// The squares that the sliders reach in each direction, up to and with the first man.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn flood(&self, sliders: __m256i) -> Pair {
        let source = both(sliders);
        let near = source.or(self.one.and(source.shifted(&ONE_STEP)));
        let wide = near.or(self.two.and(near.shifted(&TWO_STEPS)));
        let all = wide.or(self.four.and(wide.shifted(&FOUR_STEPS)));
        all.shifted(&ONE_STEP).and(load_both(&LANDING))
    }
}

/// Straight and diagonal movers for the four lines.
#[target_feature(enable = "avx2")]
#[inline]
fn movers(kinds: &Kinds, side: Set) -> __m256i {
    let straights = _mm_cvtsi64_si128((kinds.straights & side) as i64);
    let diagonals = _mm_cvtsi64_si128((kinds.diagonals & side) as i64);
    _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(straights, diagonals))
}

/// The squares that knights reach in each direction.
#[target_feature(enable = "avx2")]
#[inline]
fn jumps(knights: Set) -> Pair {
    both(splat(knights)).shifted(&JUMP).and(load_both(&JUMP_LANDING))
}

/// Number of moves of one or many positions: sums in words, to be added up at the end, and the rest.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    words: __m256i,
    rest: u64,
}

impl Tally {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn new() -> Tally {
        Tally { words: _mm256_setzero_si256(), rest: 0 }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn total(self) -> u64 {
        let two =
            _mm_add_epi64(_mm256_castsi256_si128(self.words), _mm256_extracti128_si256::<1>(self.words));
        (_mm_cvtsi128_si64(two) + _mm_extract_epi64::<1>(two)) as u64 + self.rest
    }

    /// Counts the bits of two pairs.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn add_bits(&mut self, one: Pair, other: Pair) {
        let first = _mm256_add_epi8(bits_of_bytes(one.0), bits_of_bytes(one.1));
        let second = _mm256_add_epi8(bits_of_bytes(other.0), bits_of_bytes(other.1));
        let bytes = _mm256_add_epi8(first, second);
        let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
        self.words = _mm256_add_epi64(self.words, sums);
    }

    /// Counts moves one by one.
    #[inline]
    pub(super) fn add(&mut self, moves: u64) {
        self.rest += moves;
    }
}

/// Number of bits of every nibble, twice, and again.
static NIBBLE_BITS: Lanes = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = (index as u8 & 15).count_ones() as u8;
        index += 1;
    }
    Lanes(table)
};

/// Number of bits in each byte (W. Muła's shuffle over nibbles, <http://0x80.pl/articles/sse-popcount.html>).
#[target_feature(enable = "avx2")]
#[inline]
fn bits_of_bytes(bytes: __m256i) -> __m256i {
    let nibble = _mm256_set1_epi8(15);
    let table = NIBBLE_BITS.load().0;
    let low = _mm256_shuffle_epi8(table, _mm256_and_si256(bytes, nibble));
    let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble));
    _mm256_add_epi8(low, high)
}

/// The squares that the enemies attack; a king hides what is behind him.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn attacked<const THEM: usize>(kinds: Kinds, men: &Men) -> Set {
    attacked_over::<THEM>(&Open::new(!(men.own | men.enemy)), kinds, men)
}

#[target_feature(enable = "avx2")]
#[inline]
fn attacked_over<const THEM: usize>(open: &Open, kinds: Kinds, men: &Men) -> Set {
    open.flood(movers(&kinds, men.enemy)).or(jumps(kinds.knights & men.enemy)).union()
        | sets::pawn_attacks::<THEM>(men.enemy_pawns)
        | sets::RINGS[men.enemy_king as usize & 63]
}

/// Counts the moves of the side US.
///
/// With `LIMITED` the officers respect `limits`; without it there must be neither check nor pin.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn count<const US: usize, const THEM: usize, const LIMITED: bool>(
    kinds: Kinds,
    men: &Men,
    limits: &Limits,
    king: &KingFacts,
    tally: &mut Tally,
) {
    let open = Open::new(!(men.own | men.enemy));
    let danger = attacked_over::<THEM>(&open, kinds, men) | king.shadows;

    let mut sliders = movers(&kinds, men.own);
    let mut knights = kinds.knights & men.own;
    let mut target = !men.own;
    if LIMITED {
        let lines = limits.lines.map(|line| (line | !limits.pinned) as i64);
        sliders = _mm256_and_si256(sliders, _mm256_setr_epi64x(lines[0], lines[1], lines[2], lines[3]));
        knights &= !limits.pinned;
        target &= limits.target;
    }
    let target = both(splat(target));
    tally.add_bits(open.flood(sliders).and(target), jumps(knights).and(target));

    tally.add(sets::count_pawn_moves::<US>(men, limits));
    tally.add(men.count_king_steps(danger));
    if !king.is_checked {
        for path in &king.castling {
            tally.add(u64::from(path.is_open(men.own | men.enemy, danger, limits.pinned)));
        }
    }
}
