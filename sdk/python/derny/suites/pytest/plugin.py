"""The pytest plug-in: options, markers, fixtures, and a test loop that serves the engine."""

import os

import pytest

from . import hooks, options
from .fixture import BenchmarkFixture

BLOCKED = (
    "benchmark",
    "pytest_benchmark",
    "pytest_benchmark.plugin",
    "pytest-benchmark",
    "codspeed",
    "pytest_codspeed",
    "pytest_codspeed.plugin",
    "speed",
)

# Options of pytest and other plug-ins that would interfere, and the values that replace them.
_NEUTRAL = {
    "numprocesses": 0,
    "tx": [],
    "dist": "no",
    "looponfail": False,
    "usepdb": False,
    "trace": False,
    "collectonly": False,
    "maxfail": 0,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "stepwise": False,
    "setuponly": False,
    "setupplan": False,
    "setupshow": False,
    "xmlpath": None,
    "no_cov": True,
    "cov_source": [],
    "cov_fail_under": None,
    "reruns": 0,
    "count": 1,
    "timeout": 0,
    "benchmark_disable": False,
    "benchmark_skip": False,
    "session_timeout": None,
    "randomly_reorganize": False,
}


class State:
    """State that the hooks share with the provider."""

    serve = talk = session = visit = None
    failed, deselected, decided = [], [], []
    internal_error = None


STATE = State()


def seed():
    """Return the random seed that both sides of a pair share."""
    text = os.environ.get("PYTHONHASHSEED", "")
    return int(text) if text.isdigit() else 0


def path_of(node):
    return str(getattr(node, "path", None) or getattr(node, "fspath", ""))


def go_on(session):
    """Undo a plug-in's request to end the session, because that would end fixtures that cases
    share."""
    session.shouldfail = session.shouldstop = False


def pytest_addhooks(pluginmanager):
    """Declare the hooks, and block the other plug-ins."""
    pluginmanager.add_hookspecs(hooks)
    for name in BLOCKED:
        pluginmanager.set_blocked(name)


def pytest_addoption(parser):
    options.add(parser)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Prevent coverage from starting, because it would trace the timed code."""
    known = early_config.known_args_namespace
    for name in ("cov_source", "no_cov"):
        if hasattr(known, name):
            setattr(known, name, _NEUTRAL[name])
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Replace options before other hooks use them."""
    STATE.decided = options.decided(config)
    for name, value in _NEUTRAL.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)
    for name, value in (("randomly_seed", seed()), ("hypothesis_seed", str(seed()))):
        if getattr(config.option, name, "absent") in (None, "default"):
            setattr(config.option, name, value)


def pytest_configure(config):
    config.addinivalue_line("markers", "benchmark(**options): a benchmark and its settings")
    config.addinivalue_line("markers", "codspeed_benchmark(**options): measure the whole test")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Collect later, when the engine lists the cases."""
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Serve the engine. Tests run when it opens their cases."""
    STATE.session = session
    STATE.talk()
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """Record the files that could not be collected, and the reasons."""
    outcome = yield
    report = outcome.get_result()
    if report.failed:
        call = getattr(report, "call", None)
        error = call.excinfo.value if call is not None and call.excinfo else None
        STATE.failed.append((path_of(collector), report, error))


def pytest_deselected(items):
    STATE.deselected.extend(items)


def pytest_internalerror(excinfo):
    STATE.internal_error = excinfo.value


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Run one test without the plug-ins that print and write reports."""
    from _pytest.runner import runtestprotocol

    go_on(item.session)
    runtestprotocol(item, log=False, nextitem=nextitem)
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    visit = STATE.visit
    if visit is not None:
        visit.ended(call.when, call.excinfo, outcome.get_result())


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Measure a test as a whole if it is marked and does not use the fixture."""
    visit = STATE.visit
    if visit is None or not visit.is_whole:
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    visit.fixture(pyfuncitem).whole(pyfuncitem.obj, arguments)
    return True


@pytest.fixture
def benchmark(request):
    """Measure a function: `benchmark(function, *args, **kwargs)` returns its result."""
    fixture = STATE.visit.fixture(request.node)
    yield fixture
    fixture.finish()


@pytest.fixture
def codspeed_benchmark(benchmark):
    """Measure a function, like `benchmark`."""
    return benchmark


@pytest.fixture
def benchmark_weave(benchmark):
    return benchmark.weave


FIXTURES = {
    "benchmark": benchmark,
    "codspeed_benchmark": codspeed_benchmark,
    "benchmark_weave": benchmark_weave,
    "BenchmarkFixture": BenchmarkFixture,
}
