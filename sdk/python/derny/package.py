"""Reports the packages whose code is measured: location, version and a hash of their files.

Runs in a separate process that has loaded the benchmarks and measures nothing.
"""

import ast
import importlib.machinery
import importlib.util
import os
import re
import site
import sys
import sysconfig

# The engine sets this variable to request the report. Its value lists the benchmark files, one per
# line.
ASKED = "DERNY_PACKAGE"
_MOST_FILES, _MOST_BYTES = 20_000, 1 << 30
_MOST_PACKAGES = 150
_HARNESS = os.path.dirname(os.path.realpath(__file__))
_PROJECT_FILES = (
    ("pyproject.toml", r"^\[(?:project|tool\.poetry|tool\.flit\.metadata)\]\s*$", r"^name\s*=\s*[\"']([^\"']+)"),
    ("setup.cfg", r"^\[metadata\]\s*$", r"^name\s*=\s*(\S+)"),
    ("setup.py", None, r"\bname\s*=\s*[\"']([^\"']+)"),
)  # fmt: skip

_before = frozenset()


def begin():
    """Record the modules that are loaded before the benchmarks and do not belong to them."""
    global _before
    _before = frozenset(sys.modules)


def told(provider):
    """Return six fields for each package.

    The fields are: name, version, folder or file, hash, the installed copy that it hides, and 1 if
    benchmarks measure it or import it directly. The last entry is the interpreter. `provider` has
    `root`, and optionally `project` and `files()`.
    """
    own = getattr(provider, "files", list)()
    listed = [os.path.abspath(file) for file in os.environ.get(ASKED, "").split("\n")]
    files = dict.fromkeys(file for file in [*own, *listed] if file.endswith(".py"))
    project = getattr(provider, "project", None) or _project(provider.root)
    subject = _subject(project)
    direct = [subject] if subject else []
    for file in files:
        direct += _imported_by(file)
    loaded = sorted({name.partition(".")[0] for name in set(sys.modules) - _before})
    words, budget = [], [_MOST_FILES, _MOST_BYTES]
    for name in list(dict.fromkeys([*direct, *loaded]))[:_MOST_PACKAGES]:
        place = _place(name)
        # A benchmark file is not a package, even if another one imports it.
        if place is None or place in files or _is_ours(place):
            continue
        is_own = name == subject or (subject is None and name in direct)
        called = project if name == subject else name
        hidden = _hidden(name, called, place)
        words += [name, _version(name, called, hidden), place, _hash(place, budget), hidden]
        words.append("1" if is_own else "")
    program = os.path.realpath(sys.executable)
    version = ".".join(map(str, sys.version_info[:3]))
    return [*words, sys.implementation.name, version, program, _hash(program, budget), "", ""]


def _project(root):
    """Return the name that a project declares, or None."""
    for name, section, pattern in _PROJECT_FILES:
        try:
            with open(os.path.join(root or ".", name), encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError):
            continue
        parts = [text]
        if section is not None:
            parts = [re.split(r"^\[", part, flags=re.M)[0] for part in re.split(section, text, flags=re.M)[1:]]
        for part in parts:
            found = re.search(pattern, part, re.M)
            if found:
                return found.group(1)
    return None


def _subject(project):
    """Return the main module of a project, or None if it has none."""
    if not project:
        return None
    from importlib import metadata

    try:
        installed = metadata.distribution(project)
    except (metadata.PackageNotFoundError, ValueError):
        installed = None
    return next((name for name in _modules(project, installed) if _place(name) is not None), None)


def _modules(project, installed):
    plain = re.sub(r"[-.]+", "_", project).lower()
    found = []
    if installed is not None:
        for file in installed.files or ():
            first = file.parts[0]
            if len(file.parts) == 2 and file.parts[1] == "__init__.py" and first not in found:
                found.append(first)
            elif len(file.parts) == 1 and first.endswith(".py"):
                found.append(first[:-3])
    own = [name for name in found if name.lower() == plain]
    return [*own, plain, *(name for name in found if not name.startswith("_"))]


def _imported_by(file):
    """Return the top-level names of all imports in a file, including those inside functions."""
    try:
        with open(file, "rb") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return []
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.append(node.module)
    return list(dict.fromkeys(name.partition(".")[0] for name in names))


def _place(name):
    """Return the folder or file from which a module is loaded, or None."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if spec is None:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            return getattr(module, "__file__", None)
    return None if spec is None else _place_of(spec)


def _place_of(spec):
    folders = list(spec.submodule_search_locations or ())
    place = folders[0] if folders else spec.origin
    return os.path.realpath(place) if place and os.path.exists(place) else None


def _is_ours(place):
    """Return whether a path belongs to this harness, the standard library or the test runner."""
    if place.startswith(_HARNESS) or os.path.basename(place) in ("pytest", "_pytest", "pytest.py"):
        return True
    stdlib = [os.path.realpath(sysconfig.get_path(key)) + os.sep for key in ("stdlib", "platstdlib")]
    return place.startswith(tuple(stdlib)) and not re.search(r"[\\/](site|dist)-packages[\\/]", place)


def _installations():
    found = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    found += getattr(site, "getsitepackages", list)()
    if site.ENABLE_USER_SITE:
        found.append(site.getusersitepackages())
    return [folder for folder in dict.fromkeys(found) if folder and os.path.isdir(folder)]


def _hidden(name, called, place):
    """Return the version and location of an installed copy that a loaded one hides, or an empty
    text."""
    spec = importlib.machinery.PathFinder.find_spec(name, _installations())
    other = spec and spec.origin and _place_of(spec)
    if not other or other == place:
        return ""
    return f"{_installed(called)} of {other}".lstrip()


def _version(name, called, hidden):
    """Return a package's version from its metadata, or else its `__version__`.

    Ignore the metadata of a hidden copy.
    """
    own = getattr(sys.modules.get(name), "__version__", "")
    return (not hidden and _installed(called)) or (own if isinstance(own, str) else "")


def _installed(called):
    """Return the version of the installed package `called`, or an empty text.

    The name may be that of a module, because most packages have the name of their module.
    """
    from importlib import metadata

    found = next(iter(metadata.distributions(name=called, path=_installations())), None)
    return (found is not None and found.version) or ""


def _hash(place, budget):
    """Return a hash of a file, or of all files below a folder except those in `__pycache__`.

    Return an empty text if there are more files or bytes than `budget` allows.
    """
    import hashlib

    digest = hashlib.sha256()
    for folder, folders, files in os.walk(place) if os.path.isdir(place) else [("", [], [place])]:
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    content = file.read()
            except OSError:
                continue
            budget[0] -= 1
            budget[1] -= len(content)
            if min(budget) < 0:
                return ""
            label = os.path.relpath(path, place).encode("utf-8", "replace")
            digest.update(b"%d %s %d " % (len(label), label, len(content)))
            digest.update(content)
    return digest.hexdigest()[:32]
