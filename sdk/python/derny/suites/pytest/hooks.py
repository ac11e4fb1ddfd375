"""The hooks of pytest-benchmark, so that a conftest.py that implements them can be loaded.

None of them is called.
"""

NAMES = []


def _hook(function):
    NAMES.append(function.__name__)
    return function


@_hook
def pytest_benchmark_scale_unit(config, unit, benchmarks, best, worst, sort):
    """Choose the unit of a table."""


@_hook
def pytest_benchmark_generate_machine_info(config):
    """Describe the machine."""


@_hook
def pytest_benchmark_update_machine_info(config, machine_info):
    """Add to the description of the machine."""


@_hook
def pytest_benchmark_generate_commit_info(config):
    """Describe the commit."""


@_hook
def pytest_benchmark_update_commit_info(config, commit_info):
    """Add to the description of the commit."""


@_hook
def pytest_benchmark_group_stats(config, benchmarks, group_by):
    """Group the rows of a table."""


@_hook
def pytest_benchmark_generate_json(config, benchmarks, include_data, machine_info, commit_info):
    """Make the document that is saved."""


@_hook
def pytest_benchmark_update_json(config, benchmarks, output_json):
    """Add to the document that is saved."""


@_hook
def pytest_benchmark_compare_machine_info(
    config, benchmarksession, machine_info, compared_benchmark
):
    """Compare two machines."""


def used(pluginmanager):
    """Return the names of the hooks that the project implements."""
    found = []
    for name in NAMES:
        caller = getattr(pluginmanager.hook, name, None)
        if caller is not None and caller.get_hookimpls():
            found.append(name)
    return found
