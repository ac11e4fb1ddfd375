//! The tables and their migrations, independent of the meaning of the rows.

use super::fault::PgError;
use super::talk::Talk;
use crate::error::{ErrorKind, StoreError};
use derny_model::problem;

/// The migrations. Step `i` takes a schema from version `i` to version `i + 1`. Never edit a released step.
/// Append a new one.
///
/// Texts are sorted by bytes. A text that many rows share is found by its hash, because an index cannot
/// contain long texts. Such a text stays when the last row that refers to it is deleted. A search for other
/// rows would lock them, and the next run usually needs the text again.
pub const STEPS: &[&str] = &[
    r#"
    CREATE TABLE meta(key text COLLATE "C" PRIMARY KEY, value text NOT NULL);
    CREATE TABLE runs(
        run bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, status text NOT NULL,
        ended_ms bigint, note text, header text NOT NULL, taken bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0);
    CREATE TABLE texts(
        text bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash bytea NOT NULL UNIQUE, body text NOT NULL);
    CREATE TABLE cases(
        run bigint NOT NULL REFERENCES runs ON DELETE CASCADE, number bigint NOT NULL,
        text bigint NOT NULL REFERENCES texts, reason text, PRIMARY KEY(run, number));
    CREATE TABLE processes(
        run bigint NOT NULL REFERENCES runs ON DELETE CASCADE, process bigint NOT NULL,
        started text NOT NULL, ended text, PRIMARY KEY(run, process));
    CREATE TABLE visits(
        run bigint NOT NULL REFERENCES runs ON DELETE CASCADE, visit bigint NOT NULL,
        process bigint NOT NULL, number bigint NOT NULL, position bigint NOT NULL,
        open_ns bigint NOT NULL, at_ns bigint NOT NULL, metrics bigint NOT NULL REFERENCES texts,
        complete boolean NOT NULL DEFAULT false, mode text, report text, PRIMARY KEY(run, visit));
    CREATE TABLE batches(
        run bigint NOT NULL, visit bigint NOT NULL, thinned boolean NOT NULL DEFAULT false, data bytea NOT NULL,
        PRIMARY KEY(run, visit), FOREIGN KEY(run, visit) REFERENCES visits ON DELETE CASCADE);
    ALTER TABLE batches ALTER COLUMN data SET STORAGE EXTERNAL;
    CREATE TABLE failures(
        failure bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        run bigint NOT NULL REFERENCES runs ON DELETE CASCADE, body text NOT NULL);
    CREATE INDEX failures_of_run ON failures(run);
    CREATE TABLE observations(
        observation bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        run bigint NOT NULL REFERENCES runs ON DELETE CASCADE, body text NOT NULL);
    CREATE INDEX observations_of_run ON observations(run);
    CREATE TABLE looks(
        look bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        run bigint NOT NULL REFERENCES runs ON DELETE CASCADE, body text NOT NULL);
    CREATE INDEX looks_of_run ON looks(run);
    CREATE TABLE baselines(name text COLLATE "C" PRIMARY KEY, run bigint NOT NULL REFERENCES runs);
    CREATE INDEX baselines_of_run ON baselines(run);
    CREATE TABLE traits(
        file_hash text COLLATE "C" NOT NULL, case_name text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
        value text NOT NULL, PRIMARY KEY(file_hash, case_name, key));
    CREATE TABLE discovered(
        entry bigint GENERATED ALWAYS AS IDENTITY UNIQUE, key text COLLATE "C" PRIMARY KEY, cases text NOT NULL);
    INSERT INTO meta VALUES('name', substr(md5(random()::text || clock_timestamp()::text), 1, 12));
"#,
    r#"
    CREATE TABLE plans(plan text COLLATE "C" PRIMARY KEY, since timestamptz NOT NULL DEFAULT now());
    CREATE TABLE shards(
        plan text COLLATE "C" NOT NULL REFERENCES plans ON DELETE CASCADE, shard bigint NOT NULL,
        holder text, until timestamptz, part bytea, PRIMARY KEY(plan, shard));
    ALTER TABLE shards ALTER COLUMN part SET STORAGE EXTERNAL;
"#,
    r#"
    CREATE TABLE history_entries(
        entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE, body text NOT NULL);
    CREATE TABLE history_series(
        series bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash bytea NOT NULL UNIQUE, body text NOT NULL);
    CREATE TABLE history_points(
        series bigint NOT NULL, entry bigint NOT NULL, data bytea NOT NULL, PRIMARY KEY(series, entry));
"#,
];

/// The reason why a schema cannot be used.
pub enum Unusable {
    /// The server reported an error.
    PgError(PgError),
    /// A newer derny created the schema.
    TooNew(StoreError),
}

impl From<PgError> for Unusable {
    fn from(fault: PgError) -> Unusable {
        Unusable::PgError(fault)
    }
}

/// Returns the version of the schema, or `None` if the schema does not exist.
pub fn version(talk: &mut Talk, schema: &str) -> Result<Option<usize>, PgError> {
    let there = "SELECT EXISTS(SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'meta')";
    let found = talk.rows(there, vec![schema.into()])?;
    if !found.first().is_some_and(|row| row.bool(0).unwrap_or(false)) {
        return Ok(None);
    }
    let found = talk.rows("SELECT value FROM meta WHERE key = 'schema'", Vec::new())?;
    let told = found.first().and_then(|row| row.text(0).ok()?.parse().ok());
    told.map(Some).ok_or_else(|| {
        PgError::own("its tables have no schema version".into(), "name another schema with ?schema=NAME")
    })
}

/// Creates or migrates the schema in one transaction. Concurrent migrations wait for each other.
pub fn update(talk: &mut Talk, schema: &str, steps: &[&str]) -> Result<(), Unusable> {
    let known = steps.len();
    match version(talk, schema)? {
        Some(found) if found == known => return Ok(()),
        Some(found) if found > known => return Err(too_new(talk, found, known)),
        _ => {}
    }
    let done = migrate(talk, schema, steps);
    if done.is_err() {
        let _ = talk.simply("ROLLBACK");
    }
    done
}

fn migrate(talk: &mut Talk, schema: &str, steps: &[&str]) -> Result<(), Unusable> {
    talk.simply("BEGIN")?;
    talk.rows("SELECT pg_advisory_xact_lock(hashtextextended('derny dev schema', 0))", Vec::new())?;
    let found = version(talk, schema)?;
    if found.is_none() {
        talk.simply(&format!("CREATE SCHEMA IF NOT EXISTS {schema}"))?;
    }
    let found = found.unwrap_or(0);
    if found > steps.len() {
        return Err(too_new(talk, found, steps.len()));
    }
    for step in &steps[found..] {
        talk.simply(step)?;
    }
    let said = "INSERT INTO meta VALUES($1, $2) ON CONFLICT(key) DO UPDATE SET value = excluded.value";
    talk.all(vec![
        (said, vec!["schema".into(), steps.len().to_string().into()]),
        (said, vec!["written_by".into(), env!("CARGO_PKG_VERSION").into()]),
    ])?;
    Ok(talk.simply("COMMIT")?)
}

fn too_new(talk: &mut Talk, found: usize, known: usize) -> Unusable {
    let by = talk.rows("SELECT value FROM meta WHERE key = 'written_by'", Vec::new());
    let by = by.ok().and_then(|rows| Some(rows.first()?.text(0).ok()?.to_owned()));
    let newer = by.map_or_else(|| "a newer version of Derny".into(), |version| format!("Derny {version}"));
    Unusable::TooNew(StoreError {
        kind: ErrorKind::TooNew,
        problem: problem!("the store was written by {newer}")
            .place(String::new())
            .why(format_args!("its schema is {found}; Derny {} supports {known}", env!("CARGO_PKG_VERSION")))
            .remedy(format_args!("use {newer} or later, or name another schema with ?schema=NAME")),
    })
}
