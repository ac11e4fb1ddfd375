//! Links all tests of this crate into one program, which is faster than one program per file.

mod build;
mod charts;
mod comparison;
mod foreign;
mod formats;
mod histories;
mod html;
mod narrow;
mod quantities;
mod site;
mod stability;
mod subjects;
mod terminal;
mod views;
mod warnings;
