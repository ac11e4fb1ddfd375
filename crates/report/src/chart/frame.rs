//! Parts that all charts have in common: title, facts, legend and axes.

use super::canvas::{Anchor, Canvas};
use super::look::Look;
use super::ruler::Ruler;
use super::scale::Scale;
use super::width::{fitted, width};
use derny_model::picture::Picture;

pub(super) const MARGIN: f64 = 16.0;
pub(super) const TEXT: f64 = 12.0;
const TITLE: f64 = 16.0;

pub(super) struct Frame<'a> {
    pub canvas: Canvas,
    pub look: &'a Look,
    picture: &'a Picture,
    /// Vertical position in pixels below which the chart is empty.
    pub top: f64,
}

impl<'a> Frame<'a> {
    pub(super) fn new(picture: &'a Picture, look: &'a Look) -> Frame<'a> {
        let mut frame = Frame { canvas: Canvas::new(), look, picture, top: 28.0 };
        let room = frame.right() - MARGIN;
        let title = fitted(&picture.title, TITLE, room);
        frame.canvas.text((MARGIN, frame.top), Anchor::Start, TITLE, look.ink(), &title);
        frame.top += 20.0;
        frame.flow(&picture.facts, look.faint());
        frame.legend();
        frame.top += 4.0;
        frame
    }

    pub(super) fn right(&self) -> f64 {
        f64::from(self.look.width) - MARGIN
    }

    fn flow(&mut self, facts: &[String], colour: &str) {
        let room = self.right() - MARGIN;
        let mut line = String::new();
        for fact in facts {
            let longer = if line.is_empty() { fact.clone() } else { format!("{line} · {fact}") };
            if width(&longer, TEXT) > room && !line.is_empty() {
                self.canvas.text((MARGIN, self.top), Anchor::Start, TEXT, colour, &line);
                self.top += 17.0;
                line = fact.clone();
            } else {
                line = longer;
            }
        }
        if !line.is_empty() {
            let line = fitted(&line, TEXT, room);
            self.canvas.text((MARGIN, self.top), Anchor::Start, TEXT, colour, &line);
            self.top += 17.0;
        }
    }

    fn legend(&mut self) {
        if self.picture.series.len() < 2 {
            return;
        }
        let (mut x, right) = (MARGIN, self.right());
        self.top += 5.0;
        for (index, name) in self.picture.series.iter().enumerate() {
            let name = fitted(name, TEXT, 0.5 * (right - MARGIN));
            let wide = 16.0 + width(&name, TEXT) + 18.0;
            if x + wide > right + 18.0 && x > MARGIN {
                x = MARGIN;
                self.top += 18.0;
            }
            let colour = self.look.series(index);
            self.canvas.mark((x + 5.0, self.top - 4.0), index, 4.5, colour, colour, "");
            self.canvas.text((x + 15.0, self.top), Anchor::Start, TEXT, self.look.ink(), &name);
            x += wide;
        }
        self.top += 16.0;
    }

    pub(super) fn panel(&mut self, name: &str, unit: &str, top: f64) {
        let after = if unit.is_empty() { String::new() } else { format!("   {unit}") };
        let name = fitted(name, TEXT, self.right() - MARGIN - width(&after, TEXT));
        self.canvas.text((MARGIN, top), Anchor::Start, TEXT, self.look.ink(), &name);
        let x = MARGIN + width(&name, TEXT);
        self.canvas.text((x, top), Anchor::Start, TEXT, self.look.faint(), &after);
    }

    /// Adds a row to the legend: an unfilled mark labelled `empty`, then the given signs with their labels.
    pub(super) fn key(&mut self, empty: &str, signs: &[(&'static str, &str)]) {
        self.top += 2.0;
        let faint = self.look.faint();
        self.canvas.mark((MARGIN + 4.0, self.top - 4.0), 0, 3.4, self.look.ground(), faint, "");
        self.canvas.text((MARGIN + 14.0, self.top), Anchor::Start, TEXT, faint, empty);
        let mut x = MARGIN + 14.0 + width(empty, TEXT) + 18.0;
        for (sign, text) in signs {
            if x + 14.0 + width(text, TEXT) > self.right() {
                x = MARGIN;
                self.top += 18.0;
            }
            self.canvas.text((x, self.top), Anchor::Start, TEXT, self.look.ink(), sign);
            self.canvas.text((x + 14.0, self.top), Anchor::Start, TEXT, self.look.faint(), text);
            x += 14.0 + width(text, TEXT) + 18.0;
        }
        self.top += 16.0;
    }

    /// Draws vertical grid lines, with tick labels below `bottom`. `named` adds the axis label. Returns the
    /// height used and the unit of the ticks.
    pub(super) fn values_below(
        &mut self,
        scale: &Scale,
        span: (f64, f64),
        top: f64,
        bottom: f64,
        named: bool,
    ) -> (f64, String) {
        let most = ((span.1 - span.0) / 90.0).floor().max(2.0) as usize;
        let ticks = scale.ticks(most);
        let ruler = Ruler::new(&self.picture.unit, scale, &ticks);
        let mut free = f64::NEG_INFINITY;
        for tick in &ticks {
            let (x, label) = (scale.at(*tick), ruler.tick(*tick));
            self.canvas.line((x, top), (x, bottom), self.look.grid(), 1.0);
            let half = width(&label, TEXT) / 2.0;
            if x - half > free + 6.0 && x + half < self.right() + MARGIN {
                self.canvas.text((x, bottom + 17.0), Anchor::Middle, TEXT, self.look.faint(), &label);
                free = x + half;
            }
        }
        if !named {
            return (22.0, ruler.name);
        }
        let middle = (span.0 + span.1) / 2.0;
        self.canvas.text(
            (middle, bottom + 36.0),
            Anchor::Middle,
            TEXT,
            self.look.faint(),
            &self.axis(&ruler, scale),
        );
        (44.0, ruler.name)
    }

    /// Draws horizontal grid lines, with tick labels to the left of `left`. `named` adds the axis label.
    /// Returns the unit of the ticks.
    pub(super) fn values_left(
        &mut self,
        scale: &Scale,
        span: (f64, f64),
        left: f64,
        right: f64,
        named: bool,
    ) -> String {
        let most = ((span.1 - span.0) / 34.0).floor().clamp(2.0, 10.0) as usize;
        let ticks = scale.ticks(most);
        let ruler = Ruler::new(&self.picture.unit, scale, &ticks);
        for tick in &ticks {
            let y = scale.at(*tick);
            self.canvas.line((left, y), (right, y), self.look.grid(), 1.0);
            self.canvas.text((left - 7.0, y + 4.0), Anchor::End, TEXT, self.look.faint(), &ruler.tick(*tick));
        }
        if named {
            let text = fitted(&self.axis(&ruler, scale), TEXT, span.1 - span.0);
            self.canvas.upright((MARGIN + 2.0, (span.0 + span.1) / 2.0), TEXT, self.look.faint(), &text);
        }
        ruler.name
    }

    fn axis(&self, ruler: &Ruler, scale: &Scale) -> String {
        let unit = match (ruler.name.as_str(), scale.log) {
            ("", false) => String::new(),
            ("", true) => " (logarithmic)".to_owned(),
            (unit, false) => format!(" ({unit})"),
            (unit, true) => format!(" ({unit}, logarithmic)"),
        };
        format!("{}{unit}", self.picture.quantity)
    }

    pub(super) fn finish(self, bottom: f64) -> String {
        let title = std::iter::once(&self.picture.title).chain(&self.picture.facts);
        let title: Vec<&str> = title.map(String::as_str).collect();
        self.canvas.finish(f64::from(self.look.width), bottom, self.look.ground(), &title.join(" · "))
    }
}
