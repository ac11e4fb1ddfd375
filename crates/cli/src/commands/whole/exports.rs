//! Files written for hyperfine's `--export-*`.

use crate::args::{Global, TryArgs};
use crate::output::{Destination, Form};
use derny_model::{Document, Records};
use derny_report::foreign::hyperfine;
use derny_workbench::Result;
use std::path::PathBuf;

/// A function that formats the text of a file.
type Text = fn(&Document, &Records) -> String;

/// The files to write, opened before anything is measured, so that an unwritable path fails early.
pub struct Exports(Vec<(Text, Destination)>);

impl Exports {
    pub fn of(global: &Global, args: &TryArgs) -> Result<Exports> {
        let asked: [(Text, &Option<PathBuf>); 3] = [
            (hyperfine::json, &args.export_json),
            (hyperfine::csv, &args.export_csv),
            (hyperfine::table, &args.export_markdown),
        ];
        let paths = asked.into_iter().filter_map(|(text, path)| Some((text, path.as_deref()?)));
        let files = paths.map(|(text, path)| Ok((text, Destination::open(global, Some(path))?)));
        Ok(Exports(files.collect::<Result<_>>()?))
    }

    pub fn write_files(&mut self, document: &Document, records: &Records) -> Result<()> {
        for (text, to) in &mut self.0 {
            to.write_as(Form::Data, &text(document, records))?;
        }
        Ok(())
    }
}
