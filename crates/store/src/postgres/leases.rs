//! A queue of shards that are leased for a limited time, by the server's clock.

use super::database::Database;
use super::value::Value;
use crate::backend::{Leases, Taken};
use crate::error::Trouble;

impl Leases for Database {
    fn offer(&self, plan: &str, shards: u32) -> Result<(), Trouble> {
        let put = "INSERT INTO plans(plan) VALUES($1) ON CONFLICT DO NOTHING";
        let fill = "INSERT INTO shards(plan, shard) SELECT $1, generate_series(1, $2) ON CONFLICT DO NOTHING";
        let forget = "DELETE FROM plans WHERE since < now() - interval '60 days'";
        let plan = || -> Value { plan.into() };
        self.surely(|| vec![(put, vec![plan()]), (fill, vec![plan(), shards.into()]), (forget, Vec::new())])?;
        Ok(())
    }

    fn take(&self, plan: &str, holder: &str, seconds: u32) -> Result<Taken, Trouble> {
        // Prefer a shard that `holder` already has, because the previous answer may have been lost.
        let take = "UPDATE shards SET holder = $2, until = clock_timestamp() + make_interval(secs => $3::double precision)
             WHERE plan = $1 AND shard = (
                 SELECT shard FROM shards
                 WHERE plan = $1 AND part IS NULL AND (until IS NULL OR until < clock_timestamp() OR holder = $2)
                 ORDER BY (holder = $2) IS TRUE DESC, shard FOR UPDATE SKIP LOCKED LIMIT 1)
             RETURNING shard";
        let left = "SELECT count(*) FROM shards WHERE plan = $1 AND part IS NULL";
        let all = self.surely(|| {
            vec![(take, vec![plan.into(), holder.into(), seconds.into()]), (left, vec![plan.into()])]
        })?;
        let of = |at: usize| all.get(at).and_then(|done| done.rows.first());
        match (of(0), of(1).map_or(Ok(0), |row| row.number(0))?) {
            (Some(row), _) => Ok(Taken::Shard(row.number(0)?)),
            (None, 0) => Ok(Taken::AllDone),
            (None, left) => Ok(Taken::AllHeld(left)),
        }
    }

    fn renew(&self, plan: &str, shard: u32, holder: &str, seconds: u32) -> Result<bool, Trouble> {
        let sql = "UPDATE shards SET until = clock_timestamp() + make_interval(secs => $4::double precision)
             WHERE plan = $1 AND shard = $2 AND holder = $3 AND part IS NULL";
        self.changes(|| (sql, vec![plan.into(), shard.into(), holder.into(), seconds.into()]))
    }

    fn finish(&self, plan: &str, shard: u32, holder: &str, part: &[u8]) -> Result<bool, Trouble> {
        // The same holder may repeat this update, because the previous answer may have been lost.
        let sql = "UPDATE shards SET part = coalesce(part, $4), until = NULL WHERE plan = $1 AND shard = $2 AND holder = $3";
        self.changes(|| (sql, vec![plan.into(), shard.into(), holder.into(), part.to_vec().into()]))
    }

    fn give_back(&self, plan: &str, shard: u32, holder: &str) -> Result<(), Trouble> {
        let sql = "UPDATE shards SET holder = NULL, until = NULL
             WHERE plan = $1 AND shard = $2 AND holder = $3 AND part IS NULL";
        self.changes(|| (sql, vec![plan.into(), shard.into(), holder.into()])).map(|_| ())
    }

    fn part(&self, plan: &str, shard: u32) -> Result<Option<Vec<u8>>, Trouble> {
        let sql = "SELECT part FROM shards WHERE plan = $1 AND shard = $2 AND part IS NOT NULL";
        let all = self.surely(|| vec![(sql, vec![plan.into(), shard.into()])])?;
        all.first().and_then(|done| done.rows.first()).map(|row| row.bytes(0)).transpose()
    }
}
