//! `derny plot`: stored results as a chart.

use crate::args::{Global, LookArgs, PlotArgs, PlotFormat, PlotKind, Theme};
use crate::output::{self, Destination, Form};
use crate::session;
use derny_analysis::picture::{self, Quantified};
use derny_engine::discover::pattern;
use derny_model::picture::{Picture, Shape};
use derny_model::{Document, Records, problem};
use derny_report::chart::{self, Look};
use derny_workbench::results::source::Source;
use derny_workbench::results::stored;
use derny_workbench::{Outcome, Result};

/// Maximum number of rows or panels in one chart.
const MOST: usize = 400;

pub fn plot(global: &Global, args: &PlotArgs) -> Result<Outcome> {
    let format = format(args)?;
    if format == PlotFormat::Png {
        derny_png::check()?;
    }
    let look = look(&args.look)?;
    let session = session::open(global)?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    out.not_to_terminal("a picture", "use -o plot.svg")?;
    let (source, _) = stored::source(&session, &(&args.stored).into(), &mut output::told(global))?;
    let mut picture = picture(args, &source)?;
    let count = count(&picture.shape);
    if count == 0 {
        output::note("error: nothing to draw: no selected case was measured");
        return Ok(Outcome::Nothing);
    }
    if count > MOST {
        return Err(problem!("{count} cases are too many for one picture")
            .remedy("add a pattern or -p KEY=VALUE; `derny report` shows any number")
            .into());
    }
    if let Some(title) = &args.look.title {
        picture.title.clone_from(title);
    }
    set_axes(&mut picture, args);
    let svg = chart::svg(&picture, &look);
    match format {
        PlotFormat::Svg => out.write_as(Form::Data, &svg)?,
        PlotFormat::Png => out.write_bytes(&derny_png::draw(&svg)?)?,
    }
    Ok(Outcome::Done)
}

fn kind(args: &PlotArgs) -> PlotKind {
    let along = args.over.is_some() || args.by.is_some();
    args.kind.unwrap_or(if along { PlotKind::Scatter } else { PlotKind::Box })
}

fn picture(args: &PlotArgs, source: &Source) -> Result<Picture> {
    let quantity = Quantified::new(&args.metric, args.relative);
    let kind = kind(args);
    let times = matches!(kind, PlotKind::Box | PlotKind::Density);
    if !quantity.is_time() {
        known_metric(&quantity, &source.document())?;
    }
    if times && !quantity.is_time() {
        return Err(problem!("this kind of plot draws only times, and {} is not a time", args.metric)
            .remedy(format_args!("use --kind interval, scatter or trace with --metric {}", args.metric))
            .into());
    }
    if args.relative && matches!(kind, PlotKind::Density | PlotKind::Trace) {
        return Err(problem!("this kind of plot draws only absolute times, not changes")
            .remedy("use --relative with --kind box, interval or scatter")
            .into());
    }
    let document = source.document();
    Ok(match kind {
        PlotKind::Box => picture::boxes(&document, &quantity),
        PlotKind::Interval => picture::intervals(&document, &quantity),
        PlotKind::Scatter => picture::scatter(&document, args.over.as_deref(), args.by.as_deref(), &quantity)
            .map_err(|why| problem!("{why}").remedy("`derny list` shows parameters"))?,
        PlotKind::Density => picture::densities(&document, records(source)?),
        PlotKind::Trace => picture::traced(&document, records(source)?, &quantity),
    })
}

/// Fails if no case has the metric.
fn known_metric(quantity: &Quantified, document: &Document) -> Result<()> {
    if quantity.is_in(document) {
        return Ok(());
    }
    let name = quantity.name();
    let figures = document.cases().flat_map(|case| &case.variants).flat_map(|result| &result.figures);
    let mut known: Vec<String> = figures.map(|figure| figure.name.to_string()).collect();
    known.sort_unstable();
    known.dedup();
    let near = pattern::closest(name, known.iter().map(String::as_str).chain(["time"]));
    let remedy =
        near.first().map_or_else(|| "choose one of these".to_owned(), |near| format!("use --metric {near}"));
    Err(problem!("there is no metric `{name}`").known(known.join(", ")).remedy(remedy).into())
}

fn records(source: &Source) -> Result<&Records> {
    match source {
        Source::Records(records) => Ok(records),
        Source::Document(_) => Err(problem!("a document contains no turns")
            .remedy("use --kind box, or the event stream of `derny run -f ndjson`")
            .into()),
    }
}

fn count(shape: &Shape) -> usize {
    match shape {
        Shape::Boxes(rows) => rows.len(),
        Shape::Intervals(rows) => rows.len(),
        Shape::Scatter(scatter) => usize::from(!scatter.points.is_empty()),
        Shape::Densities(panels) => panels.len(),
        Shape::Traces(panels) => panels.len(),
        Shape::Histories(panels) => panels.len(),
    }
}

fn set_axes(picture: &mut Picture, args: &PlotArgs) {
    if args.relative {
        picture.log = false;
    } else if args.log || args.linear {
        picture.log = args.log;
    }
    if let Shape::Scatter(scatter) = &mut picture.shape
        && (args.log || args.linear)
    {
        scatter.log = args.log;
    }
}

fn format(args: &PlotArgs) -> Result<PlotFormat> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    Ok(match output::ending(args.output.as_deref()).as_deref() {
        Some("png") => PlotFormat::Png,
        None | Some("svg") => PlotFormat::Svg,
        Some(other) => {
            return Err(problem!("`.{other}` is not a plot format")
                .known("svg, png")
                .remedy("use -o plot.svg")
                .into());
        }
    })
}

/// Returns the appearance of a picture.
pub fn look(args: &LookArgs) -> Result<Look> {
    let mut look = Look { dark: args.theme == Theme::Dark, ..Look::default() };
    let Some(size) = args.size.as_deref() else { return Ok(look) };
    let (width, height) = size.split_once(['x', '×']).map_or((size, None), |(w, h)| (w, Some(h)));
    let pixels = |text: &str, least: u32| match text.trim().parse::<u32>() {
        Ok(n) if (least..=8000).contains(&n) => Ok(n),
        _ => Err(problem!("`--size {size}`: {text} is not a number of pixels from {least} to 8000")
            .remedy("use --size 900 or --size 900x500")),
    };
    look.width = pixels(width, 300)?;
    look.height = height.map(|text| pixels(text, 60)).transpose()?;
    Ok(look)
}
