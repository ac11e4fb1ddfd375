"""Runs unmodified asv suites: the benchmarks in the folder that an `asv.conf.json` names."""

from . import config, discovery, standin
from .provider import AsvProvider, directions


def provider(words):
    """Return the provider of `CONFIGURATION [ARGUMENT …]`.

    CONFIGURATION is the path of an asv.conf.json. Arguments set the direction in which `track_`
    benchmarks improve.
    """
    settings = config.read(words[0])
    config.variables()
    standin.offer()
    return AsvProvider(discovery.Suite(settings["benchmark_dir"]), settings, directions(words[1:]))
