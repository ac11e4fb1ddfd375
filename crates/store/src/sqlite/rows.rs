//! The queries and updates of a store as SQL statements.

use super::{append, many, stored};
use crate::backend::{
    Baseline, CaseKey, Cases, Rows, RunKey, RunRef, RunSummary, SealedTurns, StoredRun, TakeTurns,
};
use crate::error::Trouble;
use crate::short;
use crate::word::word;
use derny_json::{FromJson, ToJson};
use derny_model::{Case, CaseId, Event, LearnedFact, RunHeader, RunStatus};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use std::ops::RangeInclusive;

impl Rows for Connection {
    fn with_id(&self, id: &str) -> Result<Option<RunRef>, Trouble> {
        Ok(list(self, "SELECT run, id FROM runs WHERE id = ?1", [id], run)?.pop())
    }

    fn with_baseline(&self, name: &str) -> Result<Option<RunRef>, Trouble> {
        Ok(list(self, "SELECT run, id FROM baselines JOIN runs USING(run) WHERE name = ?1", [name], run)?
            .pop())
    }

    fn starting_with(&self, beginning: &str, limit: usize) -> Result<Vec<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2";
        list(self, sql, params![beginning, at_most(limit)], run)
    }

    fn newest(&self, limit: usize) -> Result<Vec<RunRef>, Trouble> {
        list(self, "SELECT run, id FROM runs ORDER BY run DESC LIMIT ?1", [at_most(limit)], run)
    }

    fn marked_running(&self) -> Result<Vec<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM runs WHERE status = ?1 ORDER BY run";
        list(self, sql, [word(&RunStatus::Running)?], run)
    }

    fn begin(&self, header: &RunHeader, cases: Cases<'_>) -> Result<RunKey, Trouble> {
        append::begin(self, header, cases)
    }

    fn append(&self, run: RunKey, events: &[Event], taken: u64) -> Result<(), Trouble> {
        append::append(self, run, events, taken)
    }

    fn taken(&self, run: RunKey) -> Result<u64, Trouble> {
        stored::taken(self, run)
    }

    fn set_status(&self, run: RunKey, status: RunStatus) -> Result<(), Trouble> {
        change(self, "UPDATE runs SET status = ?2 WHERE run = ?1", params![run, word(&status)?])
    }

    fn unsealed(&self, run: RunKey) -> Result<Vec<u32>, Trouble> {
        let sql = "SELECT visit FROM visits WHERE run = ?1 AND visit NOT IN (SELECT visit FROM batches WHERE run = ?1)";
        list(self, sql, [run], |row| row.get(0))
    }

    fn seal(&self, run: RunKey, turns: &[SealedTurns]) -> Result<(), Trouble> {
        let rows = turns.iter().map(|turns| Ok([run.into(), turns.visit.into(), turns.bytes[..].into()]));
        many::insert(self, ("batches(run, visit, data)", ""), rows).map(|_| ())
    }

    fn turns(&self, run: RunKey, visit: u32) -> Result<Option<Vec<u8>>, Trouble> {
        let sql = "SELECT data FROM batches WHERE run = ?1 AND visit = ?2";
        Ok(list(self, sql, params![run, visit], |row| row.get(0))?.pop())
    }

    fn each_turns(
        &self,
        run: RunKey,
        visits: RangeInclusive<u32>,
        take: TakeTurns<'_>,
    ) -> Result<(), Trouble> {
        let sql = "SELECT visit, data FROM batches WHERE run = ?1 AND visit BETWEEN ?2 AND ?3 ORDER BY visit";
        let mut select = self.prepare_cached(sql)?;
        let mut rows = select.query(params![run, visits.start(), visits.end()])?;
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            take(row.get(0)?, bytes)?;
        }
        Ok(())
    }

    fn turn_bytes(&self, run: RunKey) -> Result<u64, Trouble> {
        let sql = "SELECT coalesce(sum(length(data)), 0) FROM batches WHERE run = ?1";
        Ok(self.prepare_cached(sql)?.query_row([run], |row| row.get::<_, i64>(0))? as u64)
    }

    fn raw_turns(&self, run: RunKey) -> Result<Vec<SealedTurns>, Trouble> {
        let sql = "SELECT visit, data FROM batches WHERE run = ?1 AND NOT thinned";
        list(self, sql, [run], |row| Ok(SealedTurns { visit: row.get(0)?, bytes: row.get(1)? }))
    }

    fn replace_by_pruned(&self, run: RunKey, turns: &SealedTurns) -> Result<(), Trouble> {
        let sql = "UPDATE batches SET thinned = 1, data = ?3 WHERE run = ?1 AND visit = ?2";
        change(self, sql, params![run, turns.visit, turns.bytes])
    }

    fn prunable(&self, keep_newest: u32) -> Result<Vec<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM runs
             WHERE note IS NULL AND run NOT IN (SELECT run FROM baselines)
               AND run NOT IN (SELECT run FROM runs ORDER BY run DESC LIMIT ?1)
               AND EXISTS (SELECT 1 FROM batches WHERE batches.run = runs.run AND NOT thinned)
             ORDER BY run";
        list(self, sql, [keep_newest], run)
    }

    fn header(&self, run: RunKey) -> Result<RunHeader, Trouble> {
        stored::header(self, run)
    }

    fn summary(&self, run: RunKey) -> Result<RunSummary, Trouble> {
        stored::summary(self, run)
    }

    fn load(&self, run: RunKey) -> Result<StoredRun, Trouble> {
        stored::load(self, run)
    }

    fn measured_cases(&self, run: RunKey) -> Result<Vec<CaseKey>, Trouble> {
        let sql =
            "SELECT DISTINCT text FROM visits JOIN cases USING(run, number) WHERE run = ?1 AND complete";
        list(self, sql, [run], |row| row.get(0))
    }

    fn case(&self, case: CaseKey) -> Result<(CaseId, String), Trouble> {
        let mut select = self.prepare_cached("SELECT body FROM texts WHERE text = ?1")?;
        let body: String = select.query_row([case], |row| row.get(0))?;
        let Case { id, harness, .. } = short::read_case(&body)?;
        Ok((id, harness))
    }

    fn delete(&self, run: RunKey) -> Result<(), Trouble> {
        change(self, "DELETE FROM baselines WHERE run = ?1", [run])?;
        change(self, "DELETE FROM runs WHERE run = ?1", [run])
    }

    fn annotate(&self, run: RunKey, note: Option<&str>) -> Result<(), Trouble> {
        change(self, "UPDATE runs SET note = ?2 WHERE run = ?1", params![run, note])
    }

    fn baselines_of(&self, run: RunKey) -> Result<Vec<String>, Trouble> {
        stored::baselines_of(self, run)
    }

    fn baselines(&self) -> Result<Vec<Baseline>, Trouble> {
        let sql = "SELECT name, id FROM baselines JOIN runs USING(run) ORDER BY name";
        list(self, sql, [], |row| Ok(Baseline { name: row.get(0)?, run: row.get(1)? }))
    }

    fn set_baseline(&self, name: &str, run: RunKey) -> Result<(), Trouble> {
        change(self, "INSERT OR REPLACE INTO baselines(name, run) VALUES(?1, ?2)", params![name, run])
    }

    fn remove_baseline(&self, name: &str) -> Result<bool, Trouble> {
        Ok(self.execute("DELETE FROM baselines WHERE name = ?1", [name])? > 0)
    }

    fn text(&self, key: &str) -> Result<Option<String>, Trouble> {
        Ok(list(self, "SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))?.pop())
    }

    fn set_text(&self, key: &str, text: &str) -> Result<(), Trouble> {
        self.execute("INSERT OR REPLACE INTO meta VALUES(?1, ?2)", params![key, text])?;
        Ok(())
    }

    fn piece(&self, key: &str) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(list(self, "SELECT body FROM pieces WHERE key = ?1", [key], |row| row.get(0))?.pop())
    }

    fn set_piece(&self, key: &str, bytes: &[u8]) -> Result<(), Trouble> {
        change(self, "INSERT OR REPLACE INTO pieces(key, body) VALUES(?1, ?2)", params![key, bytes])
    }

    fn history_entries(&self) -> Result<Vec<(i64, String)>, Trouble> {
        let sql = "SELECT entry, body FROM history_entries ORDER BY entry";
        list(self, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn add_history_entry(&self, key: &str, body: &str) -> Result<i64, Trouble> {
        change(self, "INSERT OR REPLACE INTO history_entries(key, body) VALUES(?1, ?2)", params![key, body])?;
        Ok(self.last_insert_rowid())
    }

    fn remove_history_entries(&self, beginning: &str) -> Result<(), Trouble> {
        change(self, "DELETE FROM history_entries WHERE substr(key, 1, length(?1)) = ?1", [beginning])
    }

    fn history_series(&self) -> Result<Vec<(i64, String)>, Trouble> {
        let sql = "SELECT series, body FROM history_series ORDER BY series";
        list(self, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    fn history_numbers(&self, bodies: &[String]) -> Result<Vec<i64>, Trouble> {
        let mut find = self.prepare_cached("SELECT series FROM history_series WHERE body = ?1")?;
        let mut add = self.prepare_cached("INSERT INTO history_series(body) VALUES(?1)")?;
        let mut number = |body: &String| match find.query_row([body], |row| row.get(0)).optional()? {
            Some(known) => Ok(known),
            None => Ok(add.insert([body])?),
        };
        bodies.iter().map(&mut number).collect()
    }

    fn history_points(&self, series: i64) -> Result<Vec<Vec<u8>>, Trouble> {
        list(self, "SELECT data FROM history_points WHERE series = ?1 ORDER BY entry", [series], |row| {
            row.get(0)
        })
    }

    fn add_history_points(&self, rows: &[(i64, i64, Vec<u8>)]) -> Result<(), Trouble> {
        let rows =
            rows.iter().map(|(series, entry, data)| Ok([(*series).into(), (*entry).into(), data[..].into()]));
        many::insert(self, ("history_points(series, entry, data)", ""), rows).map(|_| ())
    }

    fn learned(&self) -> Result<Vec<LearnedFact>, Trouble> {
        let sql = "SELECT file_hash, case_name, key, value FROM traits ORDER BY file_hash, case_name, key";
        list(self, sql, [], |row| {
            Ok(LearnedFact {
                file_hash: row.get(0)?,
                case: row.get(1)?,
                key: row.get(2)?,
                value: row.get(3)?,
            })
        })
    }

    fn index_get(&self, key: &str) -> Result<Option<Vec<Case>>, Trouble> {
        let mut select = self.prepare_cached("SELECT cases FROM discovered WHERE key = ?1")?;
        let body: Option<String> = select.query_row([key], |row| row.get(0)).optional()?;
        Ok(body.map(|body| Vec::from_json(&body)).transpose()?)
    }

    fn index_put(&self, key: &str, cases: &[Case], keep: u32) -> Result<(), Trouble> {
        let sql = "INSERT OR REPLACE INTO discovered(key, cases) VALUES(?1, ?2)";
        change(self, sql, params![key, cases.to_json()?])?;
        change(self, "DELETE FROM discovered WHERE entry <= last_insert_rowid() - ?1", [keep])
    }
}

fn list<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    row: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Trouble> {
    let mut select = conn.prepare_cached(sql)?;
    let rows = select.query_map(params, row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn change(conn: &Connection, sql: &str, params: impl Params) -> Result<(), Trouble> {
    conn.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

fn run(row: &Row<'_>) -> rusqlite::Result<RunRef> {
    Ok(RunRef { key: row.get(0)?, id: row.get(1)? })
}

fn at_most(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
