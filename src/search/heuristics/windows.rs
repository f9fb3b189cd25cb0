//! Aspiration windows.

use crate::search::node::Window;
use crate::search::tunables::tunables;
use crate::types::Score;

tunables! {
    /// Aspiration: half the width of the first window, in internal units.
    aspiration_width: 12 in 8..=60 step 4;
    /// Aspiration: depth from which a window is used, in plies.
    aspiration_min_depth: 4 in 3..=8 step 1;
    /// Aspiration: growth of the window after a failure, in percent.
    aspiration_growth: 60 in 20..=150 step 10;
}

/// A value so far from the expected one, in internal units, is looked for everywhere.
const FAR_OFF: i32 = 1000;

/// A narrow window around the value of the iteration before, widened where the value falls out.
/// <https://www.chessprogramming.org/Aspiration_Windows>
pub struct Aspiration {
    center: Score,
    width: i32,
    window: Window,
}

impl Aspiration {
    /// The first window of an iteration.
    pub fn new(depth: i32, previous: Option<Score>) -> Aspiration {
        let width = aspiration_width();
        match previous {
            Some(center) if depth >= aspiration_min_depth() && !center.is_mate() => {
                let window = clamp(Window { alpha: center - width, beta: center + width });
                Aspiration { center, width, window }
            }
            _ => Aspiration { center: Score::DRAW, width, window: Window::OPEN },
        }
    }

    /// The present window.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Widens the window at the end where the value fell out. A failure low pulls beta down, since the value
    /// is likely to be below the middle.
    pub fn widen(&mut self, score: Score) {
        self.width += self.width * aspiration_growth() / 100;
        if score <= self.window.alpha {
            let beta = Score(i32::midpoint(self.window.alpha.0, self.window.beta.0));
            self.window = Window { alpha: score - self.width, beta };
        } else {
            self.window.beta = score + self.width;
        }
        if (score - self.center).abs() > FAR_OFF {
            self.window = Window::OPEN;
        }
        self.window = clamp(self.window);
    }
}

fn clamp(window: Window) -> Window {
    Window { alpha: window.alpha.max(Window::OPEN.alpha), beta: window.beta.min(Window::OPEN.beta) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_holds_the_value_that_fell_out() {
        let mut aspiration = Aspiration::new(8, Some(Score(30)));
        let low = aspiration.window().alpha - 5;
        aspiration.widen(low);
        assert!(aspiration.window().alpha < low && low < aspiration.window().beta);
        let high = aspiration.window().beta + 5;
        aspiration.widen(high);
        assert!(aspiration.window().beta > high);
    }

    #[test]
    fn shallow_iterations_look_at_everything() {
        assert_eq!(Aspiration::new(1, None).window(), Window::OPEN);
        assert_eq!(Aspiration::new(9, Some(Score::mate_in(3))).window(), Window::OPEN);
    }
}
