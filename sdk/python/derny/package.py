"""The package whose code is measured: where it is loaded from, which version, and a hash of its files.

Nothing of it is imported.
"""

import hashlib
import importlib.util
import os
import re

# The variable by which the engine asks for it.
ASKED = "DERNY_PACKAGE"
_MOST_FILES = 20_000


def told(project):
    """Return [name, version, folder or file, hash], or None where there is no such package."""
    from importlib import metadata

    try:
        installed = metadata.distribution(project)
    except (metadata.PackageNotFoundError, ValueError):
        installed = None
    for module in _modules(project, installed):
        place = _place(module)
        if place is not None:
            version = installed.version if installed is not None else ""
            return [module, version, place, _hash(place)]
    return None


def _modules(project, installed):
    """Return the names that a project's main module may have, the likeliest first."""
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


def _place(module):
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    place = folders[0] if folders else spec.origin
    return os.path.realpath(place) if place and os.path.exists(place) else None


def _hash(place):
    """Return a hash of all files below a folder but those that an interpreter writes."""
    digest = hashlib.sha256()
    count = 0
    for folder, folders, files in os.walk(place) if os.path.isdir(place) else [("", [], [place])]:
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            path = os.path.join(folder, name)
            count += 1
            if count > _MOST_FILES:
                return ""
            try:
                with open(path, "rb") as file:
                    content = file.read()
            except OSError:
                continue
            label = os.path.relpath(path, place).encode("utf-8", "replace")
            digest.update(b"%d %s %d " % (len(label), label, len(content)))
            digest.update(content)
    return digest.hexdigest()[:32]
