//! Files written for hyperfine's `--export-*`.

use crate::args::{Sort, TimeUnit, TryArgs};
use crate::output::{self, Destination};
use anyhow::Result;
use derny_model::{Document, Records};
use derny_report::foreign::hyperfine::{self, Markup, Table};
use std::path::PathBuf;

/// Files, opened for writing before anything is measured.
pub struct Exports {
    files: Vec<(Form, Destination)>,
    table: Table,
}

#[derive(Clone, Copy)]
enum Form {
    Json,
    Csv,
    Markup(Markup),
}

impl Exports {
    /// Opens the files.
    pub fn open(args: &TryArgs) -> Result<Exports> {
        let asked: [(Form, &Option<PathBuf>); 5] = [
            (Form::Json, &args.export_json),
            (Form::Csv, &args.export_csv),
            (Form::Markup(Markup::Markdown), &args.export_markdown),
            (Form::Markup(Markup::Asciidoc), &args.export_asciidoc),
            (Form::Markup(Markup::Orgmode), &args.export_orgmode),
        ];
        let mut files = Vec::new();
        for (form, path) in asked {
            if let Some(path) = path {
                files.push((form, Destination::open(Some(path))?));
            }
        }
        let unit = args.time_unit.map(|unit| match unit {
            TimeUnit::Microsecond => hyperfine::Unit::Microsecond,
            TimeUnit::Millisecond => hyperfine::Unit::Millisecond,
            TimeUnit::Second => hyperfine::Unit::Second,
        });
        Ok(Exports { files, table: Table { unit, by_time: args.sort == Sort::MeanTime } })
    }

    /// Writes all files.
    pub fn write(&mut self, document: &Document, records: &Records) -> Result<()> {
        for (form, to) in &mut self.files {
            let text = match form {
                Form::Json => hyperfine::json(document, records),
                Form::Csv => hyperfine::csv(document, records),
                Form::Markup(markup) => hyperfine::table(document, records, *markup, self.table),
            };
            to.write_as(output::Form::Data, &text)?;
        }
        Ok(())
    }
}
