//! Puts points in the order of commits, and reports those whose commits are not on the branch.

use crate::commits::Branch;
use derny_model::HistoryPlace;
use derny_model::words::counted;

const DAY_MS: i64 = 86_400_000;

/// Points in order, with remarks about points that are left out or doubtful.
pub struct Found {
    pub points: Vec<HistoryPlace>,
    pub remarks: Vec<String>,
}

/// Collects the points of a history.
pub struct Order<'a> {
    branch: Option<&'a Branch>,
    now_ms: i64,
    points: Vec<HistoryPlace>,
}

impl<'a> Order<'a> {
    /// Orders by the commits of `branch`, or by date if there is none.
    pub fn new(branch: Option<&'a Branch>, now_ms: i64) -> Order<'a> {
        Order { branch, now_ms, points: Vec::new() }
    }

    pub fn add(&mut self, point: HistoryPlace) {
        self.points.push(point);
    }

    /// Returns the points in the order of commits. Points of other branches are left out. If the repository
    /// has none of the commits, as with the results of another project, the points are ordered by date.
    pub fn points(mut self) -> Found {
        let mut remarks = Vec::new();
        let is_here = |point: &HistoryPlace, branch: &Branch| {
            branch.position(&point.commit).is_some() || branch.is_elsewhere(&point.commit)
        };
        let branch = self.branch.filter(|branch| self.points.iter().any(|point| is_here(point, branch)));
        if let Some(branch) = branch {
            self.leave_out(branch, &mut remarks);
            self.by_commit(branch, &mut remarks);
        } else {
            let has_commits = self.points.iter().any(|point| !point.commit.is_empty());
            if has_commits && self.branch.is_some() {
                remarks.push(
                    "the commits are not in this repository, so the points are ordered by date".to_owned(),
                );
            }
            self.points.sort_by_key(|point| point.measured_ms);
        }
        let future = self.points.iter().filter(|point| point.measured_ms > self.now_ms + DAY_MS).count();
        if future > 0 {
            let points = counted(future, "point is", "points are");
            remarks.push(format!("{points} dated in the future: a clock was wrong"));
        }
        Found { points: self.points, remarks }
    }

    fn leave_out(&mut self, branch: &Branch, remarks: &mut Vec<String>) {
        let (mut elsewhere, mut unknown) = (0, 0);
        self.points.retain(|point| {
            let is_on_branch = point.commit.is_empty() || branch.position(&point.commit).is_some();
            if !is_on_branch {
                *if branch.is_elsewhere(&point.commit) { &mut elsewhere } else { &mut unknown } += 1;
            }
            is_on_branch
        });
        if elsewhere > 0 {
            let points = counted(elsewhere, "point", "points");
            let name = &branch.name;
            remarks.push(format!("{points} of commits that are not on {name} left out: use --branch NAME"));
        }
        if unknown > 0 {
            let points = counted(unknown, "point", "points");
            remarks.push(format!(
                "{points} of commits that the repository no longer has left out: was the branch rebased?"
            ));
        }
    }

    /// Sorts by the position of commits. A point without a commit follows the last commit before its date. A
    /// commit that is dated before one of its ancestors gets the date of the ancestor, so that dates never
    /// decrease.
    fn by_commit(&mut self, branch: &Branch, remarks: &mut Vec<String>) {
        let mut latest = i64::MIN;
        let mut own_dates = Vec::with_capacity(branch.commits.len());
        for commit in &branch.commits {
            latest = latest.max(commit.at_ms);
            own_dates.push(latest);
        }
        let mut early = 0;
        for point in &mut self.points {
            let Some(position) = branch.position(&point.commit) else { continue };
            early += usize::from(point.measured_ms + DAY_MS < branch.commits[position].at_ms);
            point.at_ms = own_dates[position];
            point.releases.clone_from(&branch.commits[position].tags);
        }
        let place = |point: &HistoryPlace| match branch.position(&point.commit) {
            Some(position) => position,
            None => own_dates.partition_point(|date| *date <= point.measured_ms).saturating_sub(1),
        };
        self.points.sort_by_key(|point| (place(point), point.at_ms, point.measured_ms));
        if early > 0 {
            let points = counted(early, "point was", "points were");
            remarks.push(format!("{points} measured before the date of the commit: a clock was wrong"));
        }
    }
}
