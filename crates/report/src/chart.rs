//! Draws charts as SVG text.
//!
//! [`svg`] draws any [`Picture`], and each kind of picture has a file. Charts use plain elements and
//! attributes without style sheets or scripts, so that every viewer and converter renders them alike.
//! [`canvas`] escapes all names. Colour alone never carries a meaning: series also differ in the shape of
//! their marks.

mod canvas;
mod density;
mod frame;
mod history;
mod look;
mod rows;
mod ruler;
mod scale;
mod scatter;
mod trace;
mod width;

pub use look::Look;

use derny_model::picture::{Picture, Shape};

/// Draws the picture as an SVG document.
pub fn svg(picture: &Picture, look: &Look) -> String {
    match &picture.shape {
        Shape::Boxes(rows) => rows::boxes(picture, rows, look),
        Shape::Intervals(rows) => rows::intervals(picture, rows, look),
        Shape::Scatter(scatter) => scatter::scatter(picture, scatter, look),
        Shape::Densities(panels) => density::densities(picture, panels, look),
        Shape::Traces(panels) => trace::traces(picture, panels, look),
        Shape::Histories(panels) => history::histories(picture, panels, look),
    }
}
