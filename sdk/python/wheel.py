"""wheel.py ENGINE FOLDER MACHINE: builds a wheel of this package with the engine and the command `derny`.

It writes the wheel itself, because Python includes no tool for that. The engine is statically
linked, so one wheel works on every Linux with its processor. MACHINE names the processor as
`uname -m` does.
"""

import base64
import hashlib
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = ("manylinux2014", "musllinux_1_1")
# A fixed time, so that the same files result in the same wheel.
TIME = (2020, 1, 1, 0, 0, 0)


def stated(name):
    """Return a value from pyproject.toml, which Python before 3.11 cannot parse."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'^{name} = (?:{{ text = )?"([^"]*)"', file.read(), re.MULTILINE).group(1)


def metadata(version):
    """Return the text of METADATA, from pyproject.toml and the README."""
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (
        f"Metadata-Version: 2.1\nName: derny\nVersion: {version}\n"
        f"Summary: {stated('description')}\n"
        f"License: {stated('license')}\nRequires-Python: {stated('requires-python')}\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def content(engine, version, tags):
    """Yield the name in the wheel, the bytes and the mode of every file except RECORD."""
    for folder, folders, names in os.walk(os.path.join(HERE, "derny")):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", "engine"))
        for name in sorted(name for name in names if name.endswith(".py")):
            path = os.path.join(folder, name)
            yield os.path.relpath(path, HERE).replace(os.sep, "/"), read(path), 0o644
    yield "derny/engine/derny", read(engine), 0o755
    info = f"derny-{version}.dist-info"
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        yield f"{info}/{name}", read(os.path.join(HERE, "..", "..", name)), 0o644
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in tags)
    yield f"{info}/METADATA", metadata(version).encode(), 0o644
    yield (
        f"{info}/WHEEL",
        f"Wheel-Version: 1.0\nGenerator: derny\nRoot-Is-Purelib: false\n{tags}".encode(),
        0o644,
    )
    yield f"{info}/entry_points.txt", b"[console_scripts]\nderny = derny.__main__:main\n", 0o644


def read(path):
    """Return the bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def main(engine, folder, machine):
    """Write the wheel, and print its name."""
    version = stated("version")
    tags = [f"{library}_{machine}" for library in LIBRARIES]
    name = f"derny-{version}-py3-none-{'.'.join(tags)}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:

        def write(file, data, mode):
            info = zipfile.ZipInfo(file, TIME)
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, data)

        for file, data, mode in content(engine, version, tags):
            write(file, data, mode)
            hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{file},sha256={hashed},{len(data)}\n")
        own = f"derny-{version}.dist-info/RECORD"
        write(own, "".join([*record, f"{own},,\n"]).encode(), 0o644)
    print(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
