//! The queries and updates of a store as SQL statements.

use super::database::{Database, one};
use super::value::{Row, Value};
use super::{append, history, stored};
use crate::backend::{Baseline, CaseKey, Cases, Rows, RunKey, RunRef, RunSummary, SealedTurns, StoredRun};
use crate::error::Trouble;
use crate::word::word;
use derny_json::{FromJson, ToJson};
use derny_model::{Case, CaseId, Event, LearnedFact, RunHeader, RunStatus};

impl Rows for Database {
    fn with_id(&self, id: &str) -> Result<Option<RunRef>, Trouble> {
        Ok(runs(self, "SELECT run, id FROM runs WHERE id = $1", vec![id.into()])?.pop())
    }

    fn with_baseline(&self, name: &str) -> Result<Option<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM baselines JOIN runs USING(run) WHERE name = $1";
        Ok(runs(self, sql, vec![name.into()])?.pop())
    }

    fn starting_with(&self, beginning: &str, limit: usize) -> Result<Vec<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM runs WHERE starts_with(id, $1) ORDER BY id LIMIT $2";
        runs(self, sql, vec![beginning.into(), at_most(limit)])
    }

    fn newest(&self, limit: usize) -> Result<Vec<RunRef>, Trouble> {
        runs(self, "SELECT run, id FROM runs ORDER BY run DESC LIMIT $1", vec![at_most(limit)])
    }

    fn marked_running(&self) -> Result<Vec<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM runs WHERE status = $1 ORDER BY run";
        runs(self, sql, vec![word(&RunStatus::Running)?.into()])
    }

    fn is_held(&self, id: &str) -> Result<bool, Trouble> {
        self.held(id)
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
        let sql = "UPDATE runs SET status = $2 WHERE run = $1";
        change(self, sql, vec![run.into(), word(&status)?.into()]).map(|_| ())
    }

    fn unsealed(&self, run: RunKey) -> Result<Vec<u32>, Trouble> {
        let sql = "SELECT visit FROM visits LEFT JOIN batches USING(run, visit) WHERE run = $1 AND data IS NULL ORDER BY visit";
        self.rows(sql, vec![run.into()])?.iter().map(|row| row.number(0)).collect()
    }

    fn seal(&self, run: RunKey, turns: &[SealedTurns]) -> Result<(), Trouble> {
        self.forget_ahead();
        let mut statements = Vec::with_capacity(turns.len() + 1);
        let mut bytes = 0;
        for SealedTurns { visit, bytes: data } in turns {
            bytes += data.len();
            let sql = "INSERT INTO batches(run, visit, data) VALUES($1, $2, $3)";
            statements.push((sql, vec![run.into(), (*visit).into(), data.clone().into()]));
        }
        let sql = "UPDATE runs SET bytes = bytes + $2 WHERE run = $1";
        statements.push((sql, vec![run.into(), (bytes as i64).into()]));
        self.all(statements).map(|_| ())
    }

    fn turns(&self, run: RunKey, visit: u32) -> Result<Option<Vec<u8>>, Trouble> {
        self.turns_of(run, visit)
    }

    fn turn_bytes(&self, run: RunKey) -> Result<u64, Trouble> {
        let sql = "SELECT coalesce(sum(octet_length(data)), 0)::bigint FROM batches WHERE run = $1";
        Ok(one(self, sql, vec![run.into()])?.int(0)? as u64)
    }

    fn raw_turns(&self, run: RunKey) -> Result<Vec<SealedTurns>, Trouble> {
        let sql = "SELECT visit, data FROM batches WHERE run = $1 AND NOT thinned ORDER BY visit";
        let found = self.rows(sql, vec![run.into()])?;
        found.iter().map(|row| Ok(SealedTurns { visit: row.number(0)?, bytes: row.bytes(1)? })).collect()
    }

    fn replace_by_pruned(&self, run: RunKey, turns: &SealedTurns) -> Result<(), Trouble> {
        self.forget_ahead();
        let visit = || -> Vec<Value> { vec![run.into(), turns.visit.into(), turns.bytes.clone().into()] };
        let counted = "UPDATE runs SET bytes = bytes + octet_length($3) - octet_length(data)
             FROM batches WHERE batches.run = runs.run AND runs.run = $1 AND visit = $2";
        let replaced = "UPDATE batches SET thinned = true, data = $3 WHERE run = $1 AND visit = $2";
        self.all(vec![(counted, visit()), (replaced, visit())]).map(|_| ())
    }

    fn prunable(&self, keep_newest: u32) -> Result<Vec<RunRef>, Trouble> {
        let sql = "SELECT run, id FROM runs
             WHERE note IS NULL AND run NOT IN (SELECT run FROM baselines)
               AND run NOT IN (SELECT run FROM runs ORDER BY run DESC LIMIT $1)
               AND EXISTS (SELECT 1 FROM batches WHERE batches.run = runs.run AND NOT thinned)
             ORDER BY run";
        runs(self, sql, vec![keep_newest.into()])
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
            "SELECT DISTINCT text FROM visits JOIN cases USING(run, number) WHERE run = $1 AND complete";
        self.rows(sql, vec![run.into()])?.iter().map(|row| row.int(0)).collect()
    }

    fn case(&self, case: CaseKey) -> Result<(CaseId, String), Trouble> {
        let row = one(self, "SELECT body FROM texts WHERE text = $1", vec![case.into()])?;
        let Case { id, harness, .. } = Case::from_json(row.text(0)?)?;
        Ok((id, harness))
    }

    fn delete(&self, run: RunKey) -> Result<(), Trouble> {
        self.forget_ahead();
        self.all(vec![
            ("DELETE FROM baselines WHERE run = $1", vec![run.into()]),
            ("DELETE FROM runs WHERE run = $1", vec![run.into()]),
        ])
        .map(|_| ())
    }

    fn annotate(&self, run: RunKey, note: Option<&str>) -> Result<(), Trouble> {
        change(self, "UPDATE runs SET note = $2 WHERE run = $1", vec![run.into(), note.into()]).map(|_| ())
    }

    fn baselines_of(&self, run: RunKey) -> Result<Vec<String>, Trouble> {
        stored::baselines_of(self, run)
    }

    fn baselines(&self) -> Result<Vec<Baseline>, Trouble> {
        let found =
            self.rows("SELECT name, id FROM baselines JOIN runs USING(run) ORDER BY name", Vec::new())?;
        found.iter().map(|row| Ok(Baseline { name: row.text(0)?.into(), run: row.text(1)?.into() })).collect()
    }

    fn set_baseline(&self, name: &str, run: RunKey) -> Result<(), Trouble> {
        let sql = "INSERT INTO baselines(name, run) VALUES($1, $2) ON CONFLICT(name) DO UPDATE SET run = excluded.run";
        change(self, sql, vec![name.into(), run.into()]).map(|_| ())
    }

    fn remove_baseline(&self, name: &str) -> Result<bool, Trouble> {
        Ok(change(self, "DELETE FROM baselines WHERE name = $1", vec![name.into()])? > 0)
    }

    fn text(&self, key: &str) -> Result<Option<String>, Trouble> {
        let found = self.rows("SELECT value FROM meta WHERE key = $1", vec![key.into()])?;
        found.first().map(|row| row.text(0).map(str::to_owned)).transpose()
    }

    fn set_text(&self, key: &str, text: &str) -> Result<(), Trouble> {
        let sql = "INSERT INTO meta(key, value) VALUES($1, $2) ON CONFLICT(key) DO UPDATE SET value = excluded.value";
        change(self, sql, vec![key.into(), text.into()]).map(|_| ())
    }

    fn history_entries(&self) -> Result<Vec<(i64, String)>, Trouble> {
        history::entries(self)
    }

    fn add_history_entry(&self, key: &str, body: &str) -> Result<i64, Trouble> {
        history::add_entry(self, key, body)
    }

    fn remove_history_entries(&self, beginning: &str) -> Result<(), Trouble> {
        let sql = "DELETE FROM history_entries WHERE starts_with(key, $1)";
        change(self, sql, vec![beginning.into()]).map(|_| ())
    }

    fn history_series(&self) -> Result<Vec<(i64, String)>, Trouble> {
        history::series(self)
    }

    fn history_numbers(&self, bodies: &[String]) -> Result<Vec<i64>, Trouble> {
        history::numbers(self, bodies)
    }

    fn history_points(&self, series: i64) -> Result<Vec<Vec<u8>>, Trouble> {
        history::points(self, series)
    }

    fn add_history_points(&self, rows: &[(i64, i64, Vec<u8>)]) -> Result<(), Trouble> {
        history::add_points(self, rows)
    }

    fn learned(&self) -> Result<Vec<LearnedFact>, Trouble> {
        let sql = "SELECT file_hash, case_name, key, value FROM traits ORDER BY file_hash, case_name, key";
        let fact = |row: &Row| {
            Ok(LearnedFact {
                file_hash: row.text(0)?.to_owned(),
                case: row.text(1)?.to_owned(),
                key: row.text(2)?.to_owned(),
                value: row.text(3)?.to_owned(),
            })
        };
        self.rows(sql, Vec::new())?.iter().map(fact).collect()
    }

    fn index_get(&self, key: &str) -> Result<Option<Vec<Case>>, Trouble> {
        let found = self.rows("SELECT cases FROM discovered WHERE key = $1", vec![key.into()])?;
        found.first().map(|row| Ok(Vec::from_json(row.text(0)?)?)).transpose()
    }

    fn index_put(&self, key: &str, cases: &[Case], keep: u32) -> Result<(), Trouble> {
        let put = "INSERT INTO discovered(key, cases) VALUES($1, $2)
             ON CONFLICT(key) DO UPDATE SET cases = excluded.cases, entry = DEFAULT";
        let forget = "DELETE FROM discovered
             WHERE entry <= (SELECT entry FROM discovered ORDER BY entry DESC OFFSET $1 LIMIT 1)";
        let cases = cases.to_json()?;
        self.all(vec![(put, vec![key.into(), cases.into()]), (forget, vec![keep.into()])]).map(|_| ())
    }
}

fn runs(database: &Database, sql: &'static str, values: Vec<Value>) -> Result<Vec<RunRef>, Trouble> {
    let found = database.rows(sql, values)?;
    found.iter().map(|row| Ok(RunRef { key: row.int(0)?, id: row.text(1)?.into() })).collect()
}

fn change(database: &Database, sql: &'static str, values: Vec<Value>) -> Result<u64, Trouble> {
    Ok(database.all(vec![(sql, values)])?.pop().map_or(0, |done| done.count))
}

fn at_most(limit: usize) -> Value {
    i64::try_from(limit).unwrap_or(i64::MAX).into()
}
