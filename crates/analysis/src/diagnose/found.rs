//! Results of the case-level detectors, and their encoding for a [`crate::digest`].

use super::effect::Effect;
use super::series::TurnSeries;
use super::table::DETECTORS;
use super::view::Detected;
use derny_model::{Pack, Word};

pub(crate) struct OfCase {
    pub(super) series: Vec<TurnSeries>,
    /// Index of the detector, its result, and the effect of the blamed turns, in the order of the table.
    pub(super) found: Vec<(usize, Detected, Option<Effect>)>,
}

impl OfCase {
    pub(crate) fn without_turns(self) -> OfCase {
        OfCase { series: self.series.into_iter().map(TurnSeries::without_turns).collect(), ..self }
    }

    pub(crate) fn pack(&self, to: &mut Vec<u8>) {
        (self.found.len() as u64).pack(to);
        for (detector, found, effect) in &self.found {
            DETECTORS[*detector].code.to_owned().pack(to);
            found.pack(to);
            effect.pack(to);
        }
        (self.series.len() as u64).pack(to);
        for one in &self.series {
            one.variant.pack(to);
            one.position.pack(to);
            [one.location, one.excess, one.middle_s].iter().for_each(|value| value.pack(to));
        }
        for one in &self.series {
            [&one.at_s, &one.residuals].into_iter().for_each(|values| values.to_vec().pack(to));
        }
    }

    /// Reads what [`OfCase::pack`] wrote, including the turns if `turns` is set. Returns `None` if the bytes
    /// are invalid.
    pub(crate) fn unpack(from: &mut &[u8], turns: bool) -> Option<OfCase> {
        let count = u64::unpack(from)?;
        let found = (0..count).map(|_| {
            let code = String::unpack(from)?;
            let detector = DETECTORS.iter().position(|detector| detector.code == code)?;
            Some((detector, Detected::unpack(from)?, Option::unpack(from)?))
        });
        let found = found.collect::<Option<_>>()?;
        let count = u64::unpack(from)?;
        let series = (0..count).map(|_| {
            Some(TurnSeries {
                variant: u32::unpack(from)?,
                position: u32::unpack(from)?,
                location: f64::unpack(from)?,
                excess: f64::unpack(from)?,
                middle_s: f64::unpack(from)?,
                at_s: Box::default(),
                residuals: Box::default(),
            })
        });
        let mut series: Vec<TurnSeries> = series.collect::<Option<_>>()?;
        for one in series.iter_mut().filter(|_| turns) {
            one.at_s = Vec::unpack(from)?.into();
            one.residuals = Vec::unpack(from)?.into();
        }
        Some(OfCase { series, found })
    }
}

impl Pack for Detected {
    fn pack(&self, to: &mut Vec<u8>) {
        self.message.pack(to);
        self.remedy.pack(to);
        self.severity.pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Option<Detected> {
        let (message, remedy) = (String::unpack(from)?, String::unpack(from)?);
        Some(Detected { message, remedy, severity: f64::unpack(from)? })
    }
}

impl Pack for Effect {
    fn pack(&self, to: &mut Vec<u8>) {
        self.of.map(str::to_owned).pack(to);
        self.moved.pack(to);
        self.decides.pack(to);
        self.name.to_owned().pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Option<Effect> {
        let word = |text: String| Word::new(&text).as_str();
        let of = Option::<String>::unpack(from)?.map(word);
        let (moved, decides) = (f64::unpack(from)?, bool::unpack(from)?);
        Some(Effect { of, moved, decides, name: word(String::unpack(from)?) })
    }
}
