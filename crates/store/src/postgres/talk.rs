//! Sends statements to the server over `tokio-postgres`. Several statements are sent at once, because each
//! round trip to a distant server takes time. Asynchronous code is confined to this module. Each connection
//! has its own runtime, which runs while a caller waits for a result.

use super::address::Address;
use super::fault::{PgError, PgErrorKind};
use super::tls::Connector;
use super::value::{Row, Value};
use futures_util::future::join_all;
use futures_util::{TryStreamExt, pin_mut};
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, NoTls};

/// Time limit for the server's answer. It is longer than the lock timeout.
const SILENCE: Duration = Duration::from_secs(120);
const FAREWELL: Duration = Duration::from_millis(200);
/// Maximum number of statements sent at once.
const AT_ONCE: usize = 200;

pub type Statement = (&'static str, Vec<Value>);

#[derive(Debug, Default)]
pub struct Done {
    pub rows: Vec<Row>,
    pub count: u64,
}

pub struct Talk {
    runtime: Runtime,
    /// The client; `None` only during drop.
    client: Option<Client>,
    connection: JoinHandle<()>,
    /// Prepared statements, by their text.
    known: HashMap<&'static str, tokio_postgres::Statement>,
    /// Kind of the last failure after which a retry may succeed. Cleared when it is read.
    pub trouble: Option<PgErrorKind>,
    pub is_inside: bool,
    /// True if a statement of the transaction failed. The transaction then cannot be committed.
    pub has_failed: bool,
}

impl Talk {
    pub fn begin(address: &Address) -> Result<Talk, PgError> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| PgError::own(error.to_string(), "try again"))?;
        let told = |error: Error| PgError::of(&error, address);
        let config = address.config();
        let (client, connection, encoding) = runtime.block_on(async {
            // Encrypted and plain connections have different types.
            match Connector::of(address)? {
                None => {
                    let (client, own) = config.connect(NoTls).await.map_err(told)?;
                    let encoding = own.parameter("server_encoding").map(str::to_owned);
                    Ok::<_, PgError>((client, tokio::spawn(async { _ = own.await }), encoding))
                }
                Some(connector) => {
                    let (client, own) = config.connect(connector).await.map_err(told)?;
                    let encoding = own.parameter("server_encoding").map(str::to_owned);
                    Ok((client, tokio::spawn(async { _ = own.await }), encoding))
                }
            }
        })?;
        if let Some(encoding) = encoding.filter(|encoding| encoding != "UTF8") {
            return Err(PgError::own(
                format!("the database uses {encoding}, which cannot represent every benchmark name"),
                "create one with `createdb --encoding UTF8 --template template0 NAME`",
            ));
        }
        Ok(Talk {
            runtime,
            client: Some(client),
            connection,
            known: HashMap::new(),
            trouble: None,
            is_inside: false,
            has_failed: false,
        })
    }

    /// Runs statements without values.
    pub fn simply(&mut self, sql: &str) -> Result<(), PgError> {
        let client = self.client.as_ref().expect("it is there until the end");
        let done = wait(&self.runtime, client.batch_execute(sql));
        self.heard(sql, done)
    }

    pub fn rows(&mut self, sql: &'static str, values: Vec<Value>) -> Result<Vec<Row>, PgError> {
        Ok(self.all(vec![(sql, values)])?.pop().unwrap_or_default().rows)
    }

    /// Runs statements in order. Outside a transaction, each is committed by itself.
    pub fn all(&mut self, statements: Vec<Statement>) -> Result<Vec<Done>, PgError> {
        let mut all = Vec::with_capacity(statements.len());
        for some in statements.chunks(AT_ONCE) {
            for (sql, values) in some {
                self.prepare(sql, values)?;
            }
            let client = self.client.as_ref().expect("it is there until the end");
            let known = |sql: &&'static str| self.known[*sql].clone();
            let asked = some.iter().map(|(sql, values)| run(client, known(sql), values));
            // `join_all` first polls these in order, which sends them in order.
            let answers = wait(&self.runtime, async { Ok(join_all(asked).await) });
            let answers = self.heard("", answers)?;
            let mut failed = None;
            for ((sql, _), answer) in some.iter().zip(answers) {
                match self.heard(sql, answer.map_err(|error| PgError::said(&error))) {
                    Ok(done) => all.push(done),
                    // Later errors only repeat that an earlier statement failed.
                    Err(fault) => _ = failed.get_or_insert(fault),
                }
            }
            if let Some(fault) = failed {
                self.trouble = Some(fault.kind).filter(|kind| *kind != PgErrorKind::Permanent);
                return Err(fault);
            }
        }
        Ok(all)
    }

    fn prepare(&mut self, sql: &'static str, values: &[Value]) -> Result<(), PgError> {
        if self.known.contains_key(sql) {
            return Ok(());
        }
        let types: Vec<Type> = values.iter().map(Value::sql_type).collect();
        let client = self.client.as_ref().expect("it is there until the end");
        let prepared = wait(&self.runtime, client.prepare_typed(sql, &types));
        let prepared = self.heard("", prepared)?;
        self.known.insert(sql, prepared);
        Ok(())
    }

    fn heard<T>(&mut self, sql: &str, answer: Result<T, PgError>) -> Result<T, PgError> {
        match &answer {
            Ok(_) if sql.starts_with("BEGIN") => self.is_inside = true,
            Ok(_) if sql.starts_with("COMMIT") || sql.starts_with("ROLLBACK") => {
                (self.is_inside, self.has_failed) = (false, false);
            }
            Ok(_) => {}
            Err(fault) => {
                self.has_failed = self.is_inside;
                if fault.kind != PgErrorKind::Permanent {
                    self.trouble = Some(fault.kind);
                }
            }
        }
        answer
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        drop(self.client.take());
        // Wait until the connection is closed, so that the server releases its locks at once.
        let farewell = async { tokio::time::timeout(FAREWELL, &mut self.connection).await };
        let _ = self.runtime.block_on(farewell);
    }
}

async fn run(client: &Client, statement: tokio_postgres::Statement, values: &[Value]) -> Result<Done, Error> {
    let values = values.iter().map(|value| value as &(dyn ToSql + Sync));
    let answer = client.query_raw(&statement, values).await?;
    pin_mut!(answer);
    let mut rows = Vec::new();
    while let Some(row) = answer.try_next().await? {
        rows.push(Row(row));
    }
    Ok(Done { rows, count: answer.rows_affected().unwrap_or(0) })
}

/// Drives the connection until the server answers or the time limit passes.
fn wait<T>(runtime: &Runtime, answer: impl Future<Output = Result<T, Error>>) -> Result<T, PgError> {
    match runtime.block_on(async { tokio::time::timeout(SILENCE, answer).await }) {
        Ok(answer) => answer.map_err(|error| PgError::said(&error)),
        Err(_) => Err(PgError::broken(&io::ErrorKind::TimedOut.into())),
    }
}
