//! The site of histories: static files that any web server can serve. The pages also work if they are opened
//! from a folder.
//!
//! 1. `places` collects the commits and measurements that points share.
//! 2. `columns` encodes the points of one history as small integers.
//! 3. `series` adds changes and conditions, and packs neighbouring histories into one file.
//! 4. `outline` keeps a row for each history, with a sparkline of `spark`, for the list of cases.
//!
//! The script of `web/src/site/` draws the pages. Histories are written one by one. Only rows, changes and
//! shared places stay in memory.

mod about;
mod columns;
mod outline;
mod places;
mod series;
mod spark;

use crate::deflated;
pub use about::{About, Commit};
use derny_model::{History, shown};
use outline::Outline;
use places::Places;
use series::Chunks;
use std::io;

const SCRIPT: &str = include_str!("../assets/site.js");
const STYLE: &str = include_str!("../assets/site.css");

/// Figures about a site that was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of cases.
    pub cases: usize,
    /// Number of histories.
    pub histories: usize,
    /// Number of points.
    pub points: usize,
    /// Number of files.
    pub files: usize,
    /// Size of all files, in bytes.
    pub bytes: usize,
}

/// Writes a file: its path relative to the site, with `/` between folders, and its content.
pub type Writer<'a> = dyn FnMut(&str, &[u8]) -> io::Result<()> + 'a;

/// A site that is being written.
pub struct Site<'a> {
    to: Output<'a>,
    about: About,
    places: Places,
    chunks: Chunks,
    outline: Outline,
}

/// The files of a site. Each data file is a script that calls a function with the data, because a page that
/// was opened from a folder may not read other files.
struct Output<'a> {
    write: &'a mut Writer<'a>,
    version: String,
    written: Written,
}

impl Output<'_> {
    fn file(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        self.written.files += 1;
        self.written.bytes += content.len();
        (self.write)(path, content)
    }

    /// Writes JSON. The name and the version must consist of letters, digits and dashes.
    fn data(&mut self, name: &str, json: &str, level: u32) -> io::Result<()> {
        let text =
            format!("dernyData(\"{name}\",\"{}\",\"{}\")\n", self.version, deflated::letters(json, level)?);
        self.file(&format!("data/{name}.js"), text.as_bytes())
    }
}

impl<'a> Site<'a> {
    /// Creates a site without histories. Its files are passed to `write`.
    pub fn new(about: About, write: &'a mut Writer<'a>) -> Self {
        let to = Output { write, version: about.made_ms.to_string(), written: Written::default() };
        let places = Places::new(&about.commits);
        Site { to, about, places, chunks: Chunks::default(), outline: Outline::default() }
    }

    /// Adds a history. Points whose value is not finite are left out, with a remark.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub fn add(&mut self, history: &History) -> io::Result<()> {
        let (json, points) = series::text(history, &mut self.places);
        self.to.written.histories += 1;
        self.to.written.points += points;
        self.outline.add(history);
        match self.chunks.push(&json) {
            Some((name, text)) => self.to.data(&name, &text, deflated::FAST),
            None => Ok(()),
        }
    }

    /// Writes the remaining files. The page itself is last, so that it never refers to missing files.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub fn finish(self) -> io::Result<Written> {
        let Site { mut to, about, places, mut chunks, outline } = self;
        if let Some((name, text)) = chunks.close() {
            to.data(&name, &text, deflated::FAST)?;
        }
        to.written.cases = outline.cases();
        to.data("places", &deflated::json(&places.tables()), deflated::SMALL)?;
        to.data("outline", &deflated::json(&outline.head(&about, chunks.starts())), deflated::SMALL)?;
        to.file("site.js", SCRIPT.as_bytes())?;
        to.file("site.css", STYLE.as_bytes())?;
        // Some hosting services omit files and folders that their own site generator does not know. This file
        // prevents it.
        to.file(".nojekyll", b"")?;
        let page = page(&about, &to.version);
        to.file("index.html", page.as_bytes())?;
        Ok(to.written)
    }
}

fn page(about: &About, version: &str) -> String {
    let title = shown::visible(&about.title).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'self' file: 'unsafe-inline'; script-src 'self' file:; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"site.css?v={version}\">\n</head>\n<body data-version=\"{version}\">\n\
         <noscript>This page draws its lists and charts with a script.</noscript>\n\
         <script src=\"site.js?v={version}\"></script>\n\
         <script src=\"data/outline.js?v={version}\"></script>\n</body>\n</html>\n"
    )
}
