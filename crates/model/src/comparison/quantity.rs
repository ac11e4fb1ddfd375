use crate::Word;
use serde::{Deserialize, Serialize};

/// A compared quantity: a metric, and its statistic if it has several. In JSON these are `metric` and
/// `statistic`. The statistic of time is `typical` or `mean`. Other metrics have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "Named", try_from = "Named")]
#[cfg_attr(feature = "schema", schemars(with = "Named"))]
pub enum Quantity {
    /// Time per operation that is robust against disturbances.
    Typical,
    /// Wall time divided by operations, over all turns or over complete collection cycles: the total
    /// cost to a program.
    Mean,
    /// A metric by name.
    Metric(Word),
}

/// The JSON form of a quantity.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Named {
    metric: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    statistic: Option<String>,
}

impl Quantity {
    /// Returns the name of the metric, which is `time` for both times.
    pub fn metric(&self) -> &str {
        match self {
            Quantity::Typical | Quantity::Mean => "time",
            Quantity::Metric(name) => name,
        }
    }

    /// Returns `typical` or `mean` for a time, and `None` for other metrics.
    pub fn statistic(&self) -> Option<&'static str> {
        match self {
            Quantity::Typical => Some("typical"),
            Quantity::Mean => Some("mean"),
            Quantity::Metric(_) => None,
        }
    }
}

impl From<Quantity> for Named {
    fn from(quantity: Quantity) -> Named {
        Named { metric: quantity.metric().to_owned(), statistic: quantity.statistic().map(str::to_owned) }
    }
}

impl TryFrom<Named> for Quantity {
    type Error = String;

    fn try_from(named: Named) -> Result<Quantity, String> {
        match (named.metric.as_str(), named.statistic.as_deref()) {
            ("time", Some("typical")) => Ok(Quantity::Typical),
            ("time", Some("mean")) => Ok(Quantity::Mean),
            (_, None) => Ok(Quantity::Metric(named.metric.into())),
            (metric, Some(statistic)) => Err(format!("`{metric}` has no statistic `{statistic}`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_names_its_metric_and_statistic() {
        for (quantity, text) in [
            (Quantity::Typical, r#"{"metric":"time","statistic":"typical"}"#),
            (Quantity::Mean, r#"{"metric":"time","statistic":"mean"}"#),
            (Quantity::Metric("time".into()), r#"{"metric":"time"}"#),
        ] {
            assert_eq!(serde_json::to_string(&quantity).unwrap(), text);
            assert_eq!(serde_json::from_str::<Quantity>(text).unwrap(), quantity);
        }
        assert!(serde_json::from_str::<Quantity>(r#"{"metric":"heap","statistic":"mean"}"#).is_err());
    }
}
