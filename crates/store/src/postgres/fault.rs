//! Classifies errors of the server and of the connection.

use std::io;
use tokio_postgres::Error;
use tokio_rustls::rustls;

#[derive(Debug)]
pub struct PgError {
    /// Kind of the error, which determines whether to retry.
    pub kind: PgErrorKind,
    /// SQLSTATE of the error. Empty for an error that Derny detected.
    pub code: String,
    /// Cause in words. Never contains a password.
    pub why: String,
    /// Remedy, unless `code` determines it.
    pub remedy: Option<String>,
}

/// The kinds of errors, by whether a retry may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PgErrorKind {
    /// The connection is lost or was never established. A new one may succeed.
    ConnectionLost,
    /// Two transactions were in conflict. A retry may succeed.
    Retryable,
    /// A retry cannot succeed.
    Permanent,
}

impl PgError {
    pub fn own(why: String, remedy: &str) -> PgError {
        PgError { kind: PgErrorKind::Permanent, code: String::new(), why, remedy: Some(remedy.to_owned()) }
    }

    pub fn address(why: String) -> PgError {
        PgError::own(
            why,
            "write postgresql://USER@HOST:PORT/NAME, or postgresql:///NAME?host=/FOLDER for a socket",
        )
    }

    pub fn said(error: &Error) -> PgError {
        if let Some(told) = error.as_db_error() {
            let detail = told.detail().map_or(String::new(), |detail| format!(" ({detail})"));
            return PgError::told(told.code().code().to_owned(), format!("{}{detail}", told.message()));
        }
        let mut source = std::error::Error::source(error);
        let mut last = error.to_string();
        while let Some(behind) = source {
            if let Some(broken) = behind.downcast_ref::<io::Error>() {
                return match broken.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>()) {
                    Some(refused) => PgError::unencrypted(refused),
                    None => PgError::broken(broken),
                };
            }
            last = format!("{last}: {behind}");
            source = behind.source();
        }
        match () {
            () if error.is_closed() => PgError::broken(&io::ErrorKind::UnexpectedEof.into()),
            () if last.contains("password missing") => PgError::own(
                "the server requires a password, but none is set".into(),
                "set PGPASSWORD, or add a line to ~/.pgpass",
            ),
            () if last.contains("TLS") => PgError::own(
                last,
                "switch on `ssl` in the server's configuration, or write sslmode=disable if the network is trusted",
            ),
            () => PgError::own(last, "check the address, and that a PostgreSQL server is running there"),
        }
    }

    pub fn unencrypted(error: &rustls::Error) -> PgError {
        let remedy = match error {
            rustls::Error::InvalidCertificate(_) => {
                "set sslrootcert=FILE to the CA certificate, and use the host name in the server's certificate"
            }
            _ => "check the server's `ssl` settings, or write sslmode=disable if the network is trusted",
        };
        PgError::own(format!("the connection cannot be encrypted: {error}"), remedy)
    }

    pub fn broken(error: &io::Error) -> PgError {
        let why = match error.kind() {
            io::ErrorKind::UnexpectedEof => "the server closed the connection".to_owned(),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "the server does not answer".to_owned(),
            _ => error.to_string(),
        };
        PgError { kind: PgErrorKind::ConnectionLost, code: String::new(), why, remedy: None }
    }

    /// Converts an error of the server, classified by its SQLSTATE.
    pub fn told(code: String, why: String) -> PgError {
        let kind = match &*code {
            // Shutdown, crash, start-up, and connections that the server closes.
            "57P01" | "57P02" | "57P03" | "57P05" => PgErrorKind::ConnectionLost,
            // Serialization failure and deadlock.
            "40001" | "40P01" => PgErrorKind::Retryable,
            code if code.starts_with("08") => PgErrorKind::ConnectionLost,
            _ => PgErrorKind::Permanent,
        };
        PgError { kind, code, why, remedy: None }
    }
}
