//! All tests of this crate in one program, which is linked once.

mod build;
mod charts;
mod comparison;
mod foreign;
mod formats;
mod html;
mod narrow;
mod quantities;
mod stability;
mod subjects;
mod terminal;
mod views;
mod warnings;
