//! Whole sides at once: the board as sets of squares, and sliders that flood it in eight directions.
//!
//! # From cells to sets
//! ```text
//!   two registers of cells              one register of ranks            one register of sets
//!   rank 1 | ghosts | rank 2 | ...      byte = man, h1 g1 ... a1 h2 ...  word 0: bit s = pawn on s
//!   rank 5 | ghosts | rank 6 | ...  ->  (ghosts dropped, files      ->   word 1: bit s = knight on s ...
//!                                        mirrored for the next step)     (64 times 8 bits transposed)
//! ```
//! # The flood
//! Word d of a register flows into direction d. Three rounds double the reach, 1, 2, 4 squares; a last step
//! enters the first man's square. This is Kogge and Stone's prefix scheme, which chess programmers know as
//! <https://www.chessprogramming.org/Kogge-Stone_Algorithm>, here for eight directions at once:
//! ```text
//!             north   north-east   east    south-east   south   south-west   west    north-west
//!   rotate      +8        +9        +1         -7         -8        -9        -1         +7
//!   sliders   rooks    bishops    rooks     bishops     rooks    bishops    rooks     bishops
//! ```
//! A rotation that leaves the board on one side comes in on the other; `LANDING` wipes those squares out.
//! No square is reached twice in one direction, so the number of moves is the number of bits.

use super::super::limits::{KingFacts, Limits};
use super::super::sets::{self, Men, Set};
use super::look::Cells;
use super::{Lanes, V, Words};
use crate::types::Step;
use std::arch::x86_64::*;

/// Words of the register of sets.
const PAWNS: i32 = 0;
const KNIGHTS: u64 = 1;
const DIAGONALS: u64 = 2;
const STRAIGHTS: u64 = 3;

/// Index of the cell of each square, the files of each rank mirrored.
static MIRRORED_RANKS: Lanes = {
    let mut index = [0; 64];
    let mut square = 0;
    while square < 64 {
        index[square] = (square / 8 * 16 + 7 - square % 8) as u8;
        square += 1;
    }
    Lanes(index)
};

/// The unit matrix of 8 times 8 bits, eight times.
const UNIT_MATRIX: i64 = 0x8040_2010_0804_0201u64 as i64;

/// Collects byte b of all ranks in word b.
static BYTES_OF_RANKS: Lanes = {
    let mut index = [0; 64];
    let mut byte = 0;
    while byte < 64 {
        index[byte] = (byte % 8 * 8 + byte / 8) as u8;
        byte += 1;
    }
    Lanes(index)
};

/// Straight movers for the even directions, diagonal ones for the odd.
static MOVERS: Words =
    Words([STRAIGHTS, DIAGONALS, STRAIGHTS, DIAGONALS, STRAIGHTS, DIAGONALS, STRAIGHTS, DIAGONALS]);

/// Rotation by so many steps into each direction.
const fn rotations(steps: [Step; 8], times: i8) -> Words {
    let mut table = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        table[direction] = ((sets::dense_distance(steps[direction]) * times) & 63) as u64;
        direction += 1;
    }
    Words(table)
}

/// Squares that a step into each direction may enter.
const fn landings(steps: [Step; 8]) -> Words {
    let mut table = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        table[direction] = sets::landing(steps[direction]);
        direction += 1;
    }
    Words(table)
}

static ONE_STEP: Words = rotations(Step::COMPASS, 1);
static TWO_STEPS: Words = rotations(Step::COMPASS, 2);
static FOUR_STEPS: Words = rotations(Step::COMPASS, 4);
static LANDING: Words = landings(Step::COMPASS);
static JUMP: Words = rotations(Step::JUMPS, 1);
static JUMP_LANDING: Words = landings(Step::JUMPS);

/// Functions of three bits a, b, c for `ternarylogic`: bit `4a + 2b + c` tells the result.
mod of_three {
    /// `!a & !b & c`
    pub const NEITHER_BUT: i32 = 0b0000_0010;
    /// `a | b & c`
    pub const OR_AND: i32 = 0b1111_1000;
    /// `a & b & c`
    pub const AND_AND: i32 = 0b1000_0000;
}

impl Words {
    /// The register.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(&self) -> V {
        // SAFETY: `Words` is 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(self.0.as_ptr().cast()) }
    }
}

/// The same set in all eight words.
#[target_feature(enable = "avx512f")]
#[inline]
fn splat(set: Set) -> V {
    _mm512_set1_epi64(set as i64)
}

/// Sets of the squares of each kind, one kind a word, both colors.
#[derive(Clone, Copy)]
pub(super) struct Kinds(V);

impl Kinds {
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    #[inline]
    pub(super) fn of(cells: Cells) -> Kinds {
        let ranks = cells.gather(!0, MIRRORED_RANKS.load());
        // Byte b of each word becomes the eight bits b of that word's bytes.
        let bits = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(UNIT_MATRIX), ranks);
        Kinds(_mm512_permutexvar_epi8(BYTES_OF_RANKS.load(), bits))
    }

    /// All pawns.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn pawns(self) -> Set {
        self.word::<PAWNS>()
    }

    /// All men of a color.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn color<const COLOR: usize>(self) -> Set {
        const WHITE: i32 = 6;
        const BLACK: i32 = 7;
        if COLOR == 0 { self.word::<WHITE>() } else { self.word::<BLACK>() }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    fn word<const WORD: i32>(self) -> Set {
        let first = _mm512_permutexvar_epi64(splat(WORD as u64), self.0);
        _mm_cvtsi128_si64(_mm512_castsi512_si128(first)) as u64
    }

    /// The sets after a man with these bits has arrived on one of the changed squares.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn after(self, changed: Set, to: Set, arriving: u8) -> Kinds {
        let cleared = _mm512_andnot_si512(splat(changed), self.0);
        // One bit of the man's byte for each word: the kinds he is of, and his color.
        Kinds(_mm512_mask_or_epi64(cleared, arriving, cleared, splat(to)))
    }
}

/// Empty squares, flooded over in one, two and four steps.
struct Open {
    one: V,
    two: V,
    four: V,
}

impl Open {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn new(own: V, enemy: V) -> Open {
        let one = _mm512_ternarylogic_epi64::<{ of_three::NEITHER_BUT }>(own, enemy, LANDING.load());
        let two = _mm512_and_si512(one, _mm512_rolv_epi64(one, ONE_STEP.load()));
        let four = _mm512_and_si512(two, _mm512_rolv_epi64(two, TWO_STEPS.load()));
        Open { one, two, four }
    }

    /// The squares that the sliders reach, up to and with the first man, some off the board.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn flood(&self, sliders: V) -> V {
        let step = ONE_STEP.load();
        let near = flow(sliders, self.one, step);
        let wide = flow(near, self.two, TWO_STEPS.load());
        let all = flow(wide, self.four, FOUR_STEPS.load());
        _mm512_rolv_epi64(all, step)
    }
}

/// Lets the water rise over the open squares, one stride.
#[target_feature(enable = "avx512f")]
#[inline]
fn flow(water: V, open: V, stride: V) -> V {
    _mm512_ternarylogic_epi64::<{ of_three::OR_AND }>(water, open, _mm512_rolv_epi64(water, stride))
}

/// Number of moves of one or many positions: sums in words, to be added up at the end, and the rest.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    words: V,
    rest: u64,
}

impl Tally {
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn new() -> Tally {
        Tally { words: _mm512_setzero_si512(), rest: 0 }
    }

    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn total(self) -> u64 {
        _mm512_reduce_add_epi64(self.words) as u64 + self.rest
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    #[inline]
    fn add_bits(&mut self, words: V) {
        self.words = _mm512_add_epi64(self.words, _mm512_popcnt_epi64(words));
    }

    /// Counts moves one by one.
    #[inline]
    pub(super) fn add(&mut self, moves: u64) {
        self.rest += moves;
    }
}

/// The board prepared for floods of both sides.
struct Waters {
    own: V,
    enemy: V,
    open: Open,
    sliders: V,
    knights: V,
}

impl Waters {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn new(kinds: Kinds, men: &Men) -> Waters {
        let (own, enemy) = (splat(men.own), splat(men.enemy));
        Waters {
            own,
            enemy,
            open: Open::new(own, enemy),
            sliders: _mm512_permutexvar_epi64(MOVERS.load(), kinds.0),
            knights: _mm512_permutexvar_epi64(splat(KNIGHTS), kinds.0),
        }
    }

    /// The squares that the enemies attack; a king hides what is behind him.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn attacked<const THEM: usize>(&self, men: &Men) -> Set {
        let flooded = self.open.flood(_mm512_and_si512(self.sliders, self.enemy));
        let jumped = _mm512_rolv_epi64(_mm512_and_si512(self.knights, self.enemy), JUMP.load());
        let attacked = _mm512_ternarylogic_epi64::<{ of_three::OR_AND }>(
            _mm512_and_si512(flooded, LANDING.load()),
            jumped,
            JUMP_LANDING.load(),
        );
        _mm512_reduce_or_epi64(attacked) as u64
            | sets::pawn_attacks::<THEM>(men.enemy_pawns)
            | sets::RINGS[men.enemy_king as usize & 63]
    }
}

/// The squares that the enemies of US attack; a king hides what is behind him.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn attacked<const THEM: usize>(kinds: Kinds, men: &Men) -> Set {
    Waters::new(kinds, men).attacked::<THEM>(men)
}

/// Counts the moves of the side US.
///
/// With `LIMITED` the officers respect `limits`; without it there must be neither check nor pin.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2,lzcnt")]
#[inline]
pub(super) fn count<const US: usize, const THEM: usize, const LIMITED: bool>(
    kinds: Kinds,
    men: &Men,
    limits: &Limits,
    king: &KingFacts,
    tally: &mut Tally,
) {
    let waters = Waters::new(kinds, men);
    let danger = waters.attacked::<THEM>(men) | king.shadows;

    let mut sliders = _mm512_and_si512(waters.sliders, waters.own);
    let mut knights = _mm512_and_si512(waters.knights, waters.own);
    let mut target = _mm512_andnot_si512(waters.own, splat(sets::ALL));
    if LIMITED {
        sliders = _mm512_and_si512(sliders, free_by_direction(limits));
        knights = _mm512_andnot_si512(splat(limits.pinned), knights);
        target = splat(limits.target & !men.own);
    }
    let reached = waters.open.flood(sliders);
    let jumped = _mm512_rolv_epi64(knights, JUMP.load());
    tally.add_bits(_mm512_ternarylogic_epi64::<{ of_three::AND_AND }>(reached, LANDING.load(), target));
    tally.add_bits(_mm512_ternarylogic_epi64::<{ of_three::AND_AND }>(jumped, JUMP_LANDING.load(), target));

    tally.add(sets::count_pawn_moves::<US>(men, limits));
    tally.add(men.count_king_steps(danger));
    if !king.is_checked {
        for path in &king.castling {
            tally.add(u64::from(path.is_open(men.own | men.enemy, danger, limits.pinned)));
        }
    }
}

/// The men free to move in each direction.
#[target_feature(enable = "avx512f")]
#[inline]
fn free_by_direction(limits: &Limits) -> V {
    let lines = limits.lines.map(|line| line as i64);
    let pinned = _mm256_setr_epi64x(lines[0], lines[1], lines[2], lines[3]);
    let movable = _mm512_broadcast_i64x4(pinned);
    _mm512_or_si512(movable, splat(!limits.pinned))
}
