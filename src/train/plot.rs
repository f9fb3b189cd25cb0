//! Loss curves, as a table and as a drawing.

use std::fmt::Write;

/// What one epoch came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EpochRow {
    /// Number of the epoch, from 1.
    pub epoch: u64,
    /// Mean squared error on the samples learnt from, with the targets of this epoch.
    pub loss: f64,
    /// Mean squared error on held-out games, with the targets of the last epoch.
    pub held_out_loss: f64,
    /// Rate of learning at the epoch's end.
    pub rate: f32,
    /// Share of results in the targets.
    pub lambda: f32,
    /// Positions per second of all threads.
    pub speed: f64,
}

const HEADER: &str = "epoch,loss,held_out_loss,rate,lambda,positions_per_second";

/// The table, one line an epoch.
pub fn to_csv(rows: &[EpochRow]) -> String {
    let mut text = format!("{HEADER}\n");
    for row in rows {
        let EpochRow { epoch, loss, held_out_loss, rate, lambda, speed } = row;
        let _ = writeln!(text, "{epoch},{loss:.7},{held_out_loss:.7},{rate:.3e},{lambda:.4},{speed:.0}");
    }
    text
}

/// Reads a table back; lines that are none of ours are left out.
pub fn from_csv(text: &str) -> Vec<EpochRow> {
    text.lines()
        .filter_map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            let [epoch, loss, held_out_loss, rate, lambda, speed] = fields[..] else { return None };
            Some(EpochRow {
                epoch: epoch.parse().ok()?,
                loss: loss.parse().ok()?,
                held_out_loss: held_out_loss.parse().ok()?,
                rate: rate.parse().ok()?,
                lambda: lambda.parse().ok()?,
                speed: speed.parse().ok()?,
            })
        })
        .collect()
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;
/// Lines across the drawing.
const GRID: u32 = 5;

/// The drawing: both losses over the epochs.
pub fn to_svg(rows: &[EpochRow], title: &str) -> String {
    let losses = rows.iter().flat_map(|row| [row.loss, row.held_out_loss]).filter(|loss| loss.is_finite());
    let (low, high) =
        losses.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), loss| (low.min(loss), high.max(loss)));
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let last = rows.last().map_or(1, |row| row.epoch).max(2) as f64;
    let x = |epoch: f64| MARGIN + (epoch - 1.0) / (last - 1.0) * (WIDTH - 2.0 * MARGIN);
    let y = |loss: f64| HEIGHT - MARGIN - (loss - low) / (high - low) * (HEIGHT - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"30\" font-size=\"16\">{}</text>\n",
        escape(title)
    );
    for line in 0..=GRID {
        let share = f64::from(line) / f64::from(GRID);
        let (loss, epoch) = (low + share * (high - low), (1.0 + share * (last - 1.0)).round());
        let (across, along) = (y(loss), x(epoch));
        let _ = write!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{across:.1}\" y2=\"{across:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.4}</text>\n\
             <text x=\"{along:.1}\" y=\"{}\" text-anchor=\"middle\">{epoch}</text>\n",
            WIDTH - MARGIN,
            MARGIN - 6.0,
            across + 4.0,
            HEIGHT - MARGIN + 20.0
        );
    }
    for (index, (name, color)) in
        [("learnt from", "#1f77b4"), ("held out", "#d62728")].into_iter().enumerate()
    {
        let points: Vec<_> = rows
            .iter()
            .map(|row| (row.epoch, [row.loss, row.held_out_loss][index]))
            .filter(|(_, loss)| loss.is_finite())
            .map(|(epoch, loss)| format!("{:.1},{:.1}", x(epoch as f64), y(loss)))
            .collect();
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{color}\" text-anchor=\"end\">{name}</text>\n",
            points.join(" "),
            WIDTH - MARGIN,
            MARGIN + 16.0 * (index as f64 + 1.0)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">epoch</text>\n</svg>",
        WIDTH / 2.0,
        HEIGHT - 12.0
    );
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<EpochRow> {
        (1..=4)
            .map(|epoch| EpochRow {
                epoch,
                loss: 0.1 / epoch as f64,
                held_out_loss: 0.11 / epoch as f64,
                rate: 1e-3,
                lambda: 0.25,
                speed: 1e6,
            })
            .collect()
    }

    #[test]
    fn a_table_reads_back() {
        let back = from_csv(&to_csv(&rows()));
        assert_eq!(back.len(), 4);
        assert!((back[2].loss - rows()[2].loss).abs() < 1e-6);
    }

    #[test]
    fn a_drawing_has_both_curves_and_no_odd_numbers() {
        for count in 0..=4 {
            let svg = to_svg(&rows()[..count], "768->256x2->1 & <more>");
            assert_eq!(svg.matches("<polyline").count(), 2);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("-&gt;256x2-&gt;1 &amp; &lt;more&gt;"));
        }
    }
}
