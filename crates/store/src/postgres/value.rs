//! The values sent to and received from the server. The tables use only these four types.

use crate::error::Trouble;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

#[derive(Debug, Clone)]
pub enum Value {
    /// A `bigint`, or NULL.
    Int(Option<i64>),
    /// A `text`, or NULL.
    Text(Option<String>),
    /// A `bytea`.
    Bytes(Vec<u8>),
    /// A `boolean`.
    Bool(bool),
}

impl Value {
    pub fn sql_type(&self) -> Type {
        match self {
            Value::Int(_) => Type::INT8,
            Value::Text(_) => Type::TEXT,
            Value::Bytes(_) => Type::BYTEA,
            Value::Bool(_) => Type::BOOL,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Value::Int(_) => 8,
            Value::Text(text) => text.as_ref().map_or(0, String::len),
            Value::Bytes(bytes) => bytes.len(),
            Value::Bool(_) => 1,
        }
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Int(number) => number.to_sql(kind, out),
            Value::Text(text) => text.to_sql(kind, out),
            Value::Bytes(bytes) => bytes.to_sql(kind, out),
            Value::Bool(yes) => yes.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::BYTEA, Type::BOOL].contains(kind)
    }

    to_sql_checked!();
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(Some(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Int(Some(number.into()))
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Value {
        Value::Int(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(Some(text.to_owned()))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(Some(text))
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Value {
        Value::Text(text.map(str::to_owned))
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Value {
        Value::Bytes(bytes)
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Value {
        Value::Bool(yes)
    }
}

/// A row of a query result. Reading a column that is missing or has another type fails with
/// [`Trouble::Damaged`].
#[derive(Debug)]
pub struct Row(pub tokio_postgres::Row);

impl Row {
    fn at<'a, T: FromSql<'a>>(&'a self, column: usize) -> Result<Option<T>, Trouble> {
        let found = self.0.try_get::<_, Option<T>>(column);
        found.map_err(|error| Trouble::Damaged(format!("a row is corrupt: {error}")))
    }

    fn must<'a, T: FromSql<'a>>(&'a self, column: usize) -> Result<T, Trouble> {
        let found = self.at(column)?;
        found.ok_or_else(|| Trouble::Damaged(format!("column {column} of a row is NULL")))
    }

    pub fn maybe_int(&self, column: usize) -> Result<Option<i64>, Trouble> {
        self.at(column)
    }

    pub fn int(&self, column: usize) -> Result<i64, Trouble> {
        self.must(column)
    }

    pub fn number(&self, column: usize) -> Result<u32, Trouble> {
        let number = self.int(column)?;
        u32::try_from(number).map_err(|_| Trouble::Damaged(format!("{number} is too large")))
    }

    pub fn maybe_text(&self, column: usize) -> Result<Option<&str>, Trouble> {
        self.at(column)
    }

    pub fn text(&self, column: usize) -> Result<&str, Trouble> {
        self.must(column)
    }

    pub fn bytes(&self, column: usize) -> Result<Vec<u8>, Trouble> {
        self.must(column)
    }

    /// Returns a boolean, or false for NULL.
    pub fn bool(&self, column: usize) -> Result<bool, Trouble> {
        Ok(self.at(column)?.unwrap_or(false))
    }
}
