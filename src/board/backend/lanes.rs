//! What a square sees, as 64 lanes: eight bytes, one for each direction of the compass, each with a knight's
//! jump and the seven squares of the ray.
//!
//! ```text
//!   bit    0     1    2    3    4    5    6    7  |   8     9   10   11   12   13   14   15  |  16 ...
//!        jump  ----------- north ------------->   | jump  --------- north-east ---------->   | jump ...
//! ```
//!
//! An offset in 0x88 arithmetic leads from the square to each lane, and off the board where a bit of 0x88
//! appears. The first man along all eight rays is found by one subtraction, see [`visible`]. All forms of
//! the generator find checks and pins this way, whatever gathers the men into the lanes.

use crate::board::man;
use crate::types::{Color, Step};

/// The knight's jumps.
pub const JUMPS: u64 = 0x0101_0101_0101_0101;
/// The squares next to the center.
pub const RING: u64 = 0x0202_0202_0202_0202;
/// The rays without the jumps.
pub const RAYS: u64 = !JUMPS;
/// The four straight rays.
pub const STRAIGHT: u64 = 0x00FE_00FE_00FE_00FE;
/// The four diagonal rays.
pub const DIAGONAL: u64 = STRAIGHT << 8;

/// Both rays of each line: file, rising diagonal, rank, falling diagonal.
pub const LINES: [u64; 4] = [0xFE_0000_00FE, 0xFE_0000_00FE << 8, 0xFE_0000_00FE << 16, 0xFE_0000_00FE << 24];

/// By lane, which of three centers it belongs to: that of a straight mover, a diagonal one, or a knight.
pub static CENTER: [u8; 64] = {
    let mut table = [2; 64];
    let mut lane = 0;
    while lane < 64 {
        if RAYS >> lane & 1 != 0 {
            table[lane] = (DIAGONAL >> lane & 1) as u8;
        }
        lane += 1;
    }
    table
};

/// Distance of a lane's square from the center.
pub const fn offset(lane: usize) -> u8 {
    let (direction, length) = (lane / 8, (lane % 8) as u8);
    if length == 0 { Step::JUMPS[direction].0 } else { Step::COMPASS[direction].0.wrapping_mul(length) }
}

/// All the lanes' distances.
pub static OFFSETS: [u8; 64] = {
    let mut table = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        table[lane] = offset(lane);
        lane += 1;
    }
    table
};

/// For every difference `square - center`: the bit of the lane that leads there, 0 if none does.
static LANE_BIT: [u64; 256] = {
    let mut table = [0; 256];
    let mut lane = 0;
    while lane < 64 {
        table[offset(lane) as usize] = 1 << lane;
        lane += 1;
    }
    table
};

/// The lane in which a center sees a square, as a bit; 0 if it does not.
#[inline]
pub fn lane_of(center: u8, square: u8) -> u64 {
    LANE_BIT[square.wrapping_sub(center) as usize]
}

/// The squares of lanes, as 0x88 bits.
#[inline]
pub fn squares(center: u8, mut lanes: u64) -> u128 {
    let mut squares = 0;
    while lanes != 0 {
        squares |= 1 << (center.wrapping_add(OFFSETS[lanes.trailing_zeros() as usize & 63]) & 127);
        lanes &= lanes - 1;
    }
    squares
}

/// Number of the direction in which a square is seen that lies on a line with the center.
#[inline]
pub fn direction_of(center: u8, square: u8) -> usize {
    (lane_of(center, square).trailing_zeros() as usize / 8) & 7
}

/// By color of a man and bits of his kind: the lanes from which he attacks the center.
pub static REACHING: [[u64; 32]; 2] = [reaching(Color::White), reaching(Color::Black)];

const fn reaching(color: Color) -> [u64; 32] {
    let mut table = [0; 32];
    table[man::KNIGHT as usize] = JUMPS;
    table[man::BISHOP as usize] = DIAGONAL;
    table[man::ROOK as usize] = STRAIGHT;
    table[man::QUEEN as usize] = RAYS;
    table[man::KING as usize] = RING;
    let mut side = 0;
    while side < 2 {
        let to_center = Step::pawn_captures(color)[side];
        table[man::PAWN as usize] |= LANE_BIT[to_center.reversed().0 as usize];
        side += 1;
    }
    table
}

/// By color of the men: the kinds that attack the center from each lane.
pub const fn threats(color: Color) -> [u8; 64] {
    let reaching = reaching(color);
    let mut table = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        let mut index = 0;
        while index < KIND_BITS.len() {
            if reaching[KIND_BITS[index] as usize] >> lane & 1 != 0 {
                table[lane] |= KIND_BITS[index];
            }
            index += 1;
        }
        lane += 1;
    }
    table
}

/// The lanes that the center sees: jumps, and rays up to and including the first man.
///
/// In each byte the jump's bit and the last square's are set; taking away 3 clears the jump's bit and borrows
/// from the ray's first square up to its first man. What has changed is what is seen:
/// `o = 1001_0001`, `o - 3 = 1000_1110`, `o ^ (o - 3) = 0001_1111`. Lanes off the board may come out as seen.
#[inline]
pub const fn visible(occupied: u64) -> u64 {
    const ENDS: u64 = 0x8181_8181_8181_8181;
    const JUMP_AND_FIRST: u64 = 0x0303_0303_0303_0303;
    let guarded = occupied | ENDS;
    guarded ^ guarded.wrapping_sub(JUMP_AND_FIRST)
}

/// What a king sees. Lanes off the board are empty.
#[derive(Clone, Copy)]
pub struct View {
    /// Where he stands, as a 0x88 index.
    pub king: u8,
    /// Lanes with a man.
    pub occupied: u64,
    /// Lanes with an enemy.
    pub enemy: u64,
    /// Lanes with an enemy who would give check if nothing stood between.
    pub hits: u64,
}

/// The men around any square.
#[derive(Clone, Copy)]
pub struct Around {
    /// Lanes with a man.
    pub occupied: u64,
    /// By color: lanes with a man who attacks the center if nothing stands between.
    pub hits: [u64; 2],
    /// Lanes of each kind of man, by [`crate::types::PieceKind::index`].
    pub kinds: [u64; 6],
}

impl Around {
    /// From the lanes with the bits of a pawn, knight, diagonal and straight mover, and king.
    #[inline]
    pub const fn new(occupied: u64, hits: [u64; 2], bits: [u64; 5]) -> Around {
        let [pawns, knights, diagonal, straight, crowned] = bits;
        let (bishops, rooks, queens) = (diagonal & !straight, straight & !diagonal, straight & diagonal);
        Around { occupied, hits, kinds: [pawns, knights, bishops, rooks, queens, crowned] }
    }

    /// Lanes of the men who attack the center.
    #[inline]
    pub const fn attackers(&self) -> u64 {
        visible(self.occupied) & (self.hits[0] | self.hits[1])
    }
}

/// The bits of a man's byte that [`Around::new`] takes.
pub const KIND_BITS: [u8; 5] = [man::PAWN, man::KNIGHT, man::BISHOP, man::ROOK, man::KING];

/// A king's own men who are pinned.
pub struct Pins {
    /// Lanes of the enemies who pin.
    pub pinners: u64,
    /// Lanes of the own men who stand first on their ray, pinned or not.
    front: u64,
}

impl View {
    /// Lanes of the men who give check.
    #[inline]
    pub const fn checkers(&self) -> u64 {
        visible(self.occupied) & self.hits
    }

    /// Looks through the own men who stand first on their rays: who then appears and hits is pinning.
    #[inline]
    pub const fn pins(&self) -> Pins {
        let seen = visible(self.occupied);
        let front = seen & self.occupied & !self.enemy & RAYS;
        Pins { pinners: visible(self.occupied & !front) & self.hits & !seen, front }
    }

    /// What he sees after an enemy's move, neither castling nor en passant, after which that man's bits are
    /// `arriving`.
    #[inline]
    pub fn after(&self, from: u8, to: u8, arriving: u8) -> View {
        let gone = self.lane_of(from);
        let come = self.lane_of(to);
        let color = (arriving >> 7) as usize;
        View {
            king: self.king,
            occupied: self.occupied & !gone | come,
            enemy: self.enemy & !gone | come,
            hits: self.hits & !gone | come & REACHING[color][(arriving & man::KIND) as usize],
        }
    }

    /// The square of a lane.
    #[inline]
    pub fn square(&self, lane: u32) -> u8 {
        self.king.wrapping_add(OFFSETS[lane as usize & 63])
    }

    /// The lane in which a square is seen, as a bit.
    #[inline]
    pub fn lane_of(&self, square: u8) -> u64 {
        lane_of(self.king, square)
    }

    /// Is an own capture en passant safe for the king? Two men leave one line at once, so pins do not tell.
    #[inline]
    pub fn allows_en_passant(&self, from: u8, to: u8) -> bool {
        let victim = self.lane_of(to ^ 0x10);
        let occupied = self.occupied & !self.lane_of(from) & !victim | self.lane_of(to);
        visible(occupied) & self.hits & !victim == 0
    }
}

impl Iterator for Pins {
    /// The number of the line (0 file, 1 rising diagonal, 2 rank, 3 falling diagonal) and the lane of the
    /// pinned man.
    type Item = (usize, u32);

    #[inline]
    fn next(&mut self) -> Option<(usize, u32)> {
        if self.pinners == 0 {
            return None;
        }
        let direction = self.pinners.trailing_zeros() / 8;
        self.pinners &= self.pinners - 1;
        let pinned = (self.front & 0xFF << (direction * 8)).trailing_zeros();
        Some((direction as usize & 3, pinned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_is_seen_up_to_its_first_man() {
        let north = 0b0001_0000;
        assert_eq!(visible(north) & 0xFF, 0b0001_1111);
        assert_eq!(visible(0), !0);
    }

    #[test]
    fn a_pawn_gives_check_from_the_next_rank_only() {
        let white = REACHING[0][man::PAWN as usize];
        assert_eq!(white, RING & (0xFF << 24 | 0xFF << 40)); // from south-east and south-west
    }
}
