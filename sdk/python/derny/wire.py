"""Encodes, decodes, reads and writes lines of the protocol, but does not interpret the verbs."""

import importlib
import os
import re
import sys
import traceback

LINE_LIMIT = 64 * 1024  # maximum length of a line in bytes, including the line feed
MESSAGE_LIMIT = 4 * 1024
DETAIL_LIMIT = 16 * 1024
COMMANDS = "DERNY_COMMANDS"
REPLIES = "DERNY_REPLIES"
DESCRIPTORS = "DERNY_DESCRIPTORS"

_UNSAFE = re.compile("[%= \x00-\x1f\x7f]")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_CODE = re.compile(rb"%([0-9A-Fa-f]{2})?")
_INTEGER = re.compile("[0-9]{1,20}")


class Malformed(Exception):
    """A malformed command. The message is sent as the answer."""


def encode(value):
    """Return a value encoded for a field. Percent-encode `%`, space, `=` and control characters."""
    return _UNSAFE.sub(lambda found: f"%{ord(found.group()):02X}", str(value))


def encode_list(values):
    """Return a list encoded for one field: separated by commas, with commas in values encoded."""
    return ",".join(encode(value).replace(",", "%2C") for value in values)


def decode(text):
    """Return the value that was passed to `encode`.

    Raise Malformed if there is an unencoded control character or an invalid escape.
    """
    if _CONTROL.search(text):
        raise Malformed("a control character must be encoded")
    if "%" not in text:
        return text

    def byte(found):
        if found.group(1) is None:
            raise Malformed(f'malformed percent-encoding in "{text}"')
        return bytes([int(found.group(1), 16)])

    return _CODE.sub(byte, text.encode()).decode("utf-8", "replace")


class Message:
    """A parsed line from the engine: its verb and its fields.

    Values are decoded on access.
    """

    def __init__(self, line):
        self.verb, *words = line.split(" ")
        self.raw = {}
        for word in words:
            parts = word.split("=")
            if len(parts) != 2 or parts[0] == "":
                raise Malformed(f'{self.verb}: "{word}" is not of the form key=value')
            key = decode(parts[0])
            if key in self.raw:
                raise Malformed(f"{self.verb}: the key {key} appears twice")
            decode(parts[1])
            self.raw[key] = parts[1]

    def get(self, key):
        raw = self.raw.get(key)
        return None if raw is None else decode(raw)

    def needed(self, key):
        text = self.get(key)
        if text is None:
            raise Malformed(f"{self.verb}: the key {key} is missing")
        return text

    def integer(self, key, otherwise=None):
        """Return a non-negative integer, or `otherwise` if the field is absent."""
        if otherwise is not None and key not in self.raw:
            return otherwise
        text = self.needed(key)
        if not _INTEGER.fullmatch(text):
            raise Malformed(f'{self.verb}: {key} must be an integer, not "{text}"')
        return int(text)

    def params(self):
        return {key[2:]: decode(raw) for key, raw in self.raw.items() if key.startswith("p.")}

    def lists(self):
        fields = ((key, raw) for key, raw in self.raw.items() if key.startswith("p."))
        return {key[2:]: [decode(item) for item in raw.split(",")] for key, raw in fields}


def line(verb, /, **fields):
    """Return a line without its line feed.

    Fields that are None or False are omitted, True becomes 1, and sequences become lists.
    """
    words = [verb]
    for key, value in fields.items():
        if value is None or value is False:
            continue
        if value is True:
            text = "1"
        elif isinstance(value, (list, tuple)):
            if not value:
                continue
            text = encode_list(value)
        else:
            text = encode(value)
        words.append(f"{encode(key)}={text}")
    return " ".join(words)


def error_line(error, fatal=False):
    """Return the `error` line for an exception: its class and message, and its traceback, both
    truncated.
    """
    detail = None if isinstance(error, Malformed) else cut(traceback_of(error), DETAIL_LIMIT)
    return line("error", message=cut(sentence(error), MESSAGE_LIMIT), detail=detail, fatal=fatal)


def sentence(error):
    """Return the class and message of an exception, and a remedy if there is one."""
    if isinstance(error, Malformed):
        return str(error)
    name = type(error).__name__
    try:
        text = str(error)
    except Exception:  # its __str__ raises
        text = "its __str__ raises an exception"
    if isinstance(error, SystemExit):
        return f"{name}: the code tried to end the process with status {text or 0}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        return f"{name}: {text} (if it is a package, try: {_installing(package)})"
    return f"{name}: {text}" if text else name


def _installing(package):
    """Return a remedy for a missing package.

    If the project's environment is not active, the remedy is to run derny in it. Otherwise it is the
    command that installs the package.
    """
    tools = {"poetry.lock": "poetry run", "Pipfile": "pipenv run", "uv.lock": "uv run"}
    if not any(os.environ.get(name) for name in ("VIRTUAL_ENV", "CONDA_PREFIX")):
        for file, tool in tools.items():
            if os.path.isfile(file) and not os.path.isdir(".venv"):
                return f"`{tool} derny`, because the project has a {file}"
    return f"{sys.executable} -m pip install {package}"


def traceback_of(error):
    """Return a traceback without leading frames of this package."""
    own = os.path.dirname(os.path.abspath(__file__)) + os.sep
    trace = error.__traceback__
    while trace is not None and _is_own(trace.tb_frame.f_code.co_filename, own):
        trace = trace.tb_next
    try:
        return "".join(traceback.format_exception(type(error), error, trace)).rstrip()
    except Exception:  # the exception cannot be printed
        return type(error).__name__


def _is_own(file, own):
    return file.startswith((own, importlib.__file__, "<derny", "<frozen importlib"))


def cut(text, limit):
    """Return a prefix of a text of at most `limit` bytes that ends with a complete character."""
    raw = text.encode("utf-8", "replace")
    return raw[:limit].decode("utf-8", "ignore") if len(raw) > limit else raw.decode()


class Reader:

    def __init__(self, fd):
        self.fd = fd
        self.rest = b""

    def buffered(self):
        """Return the next line of the buffer, or None if there is no complete one.

        Raise ValueError if a line is too long.
        """
        found, mark, rest = self.rest.partition(b"\n")
        if mark:
            self.rest = rest
            return found.decode("utf-8")
        if len(self.rest) >= LINE_LIMIT:
            raise ValueError(f"a line is longer than {LINE_LIMIT} bytes")
        return None

    def fill(self):
        """Read once.

        Return False at the end of the stream.
        """
        try:
            more = os.read(self.fd, LINE_LIMIT)
        except BlockingIOError:  # the benchmarked code made the descriptor non-blocking
            import select

            select.select([self.fd], [], [])
            return True
        self.rest += more
        return bool(more)

    def next(self):
        while True:
            found = self.buffered()
            if found is not None:
                return found
            if not self.fill():
                return None

    async def next_in(self, loop):
        """Return the next line without blocking the event loop."""
        while True:
            found = self.buffered()
            if found is not None:
                return found
            await self._readable(loop)
            if not self.fill():
                return None

    async def _readable(self, loop):
        ready = loop.create_future()
        try:
            loop.add_reader(self.fd, lambda: ready.done() or ready.set_result(None))
        except (NotImplementedError, OSError):
            # A regular file, or an event loop that cannot watch descriptors.
            import select

            await loop.run_in_executor(None, lambda: select.select([self.fd], [], []))
            return
        try:
            await ready
        finally:
            loop.remove_reader(self.fd)


class Writer:

    def __init__(self, fd):
        self.fd = fd
        self.pid = os.getpid()

    def send(self, text):
        """Write one or more lines. Append the last line feed."""
        if os.getpid() != self.pid:
            # This is a forked child of the benchmarked code that returned from the body. It must
            # not continue.
            os.write(
                2,
                b"derny: a child process forked by the benchmark returned from the body; ending the child\n",
            )
            os._exit(1)
        rest = memoryview(f"{text}\n".encode("utf-8", "replace"))
        while rest:
            try:
                rest = rest[os.write(self.fd, rest) :]
            except BlockingIOError:
                import select

                select.select([], [self.fd], [])


def has_engine(env=os.environ):
    """Return whether an engine has started this process.

    Raise ValueError if only one of the two environment variables is set.
    """
    if bool(env.get(COMMANDS)) != bool(env.get(REPLIES)):
        raise ValueError(f"only one of {COMMANDS} and {REPLIES} is set")
    return bool(env.get(COMMANDS))


def open_streams(env=os.environ):
    """Open both streams and remove their variables from the environment.

    Return a Reader and a Writer.
    """
    commands, replies = env[COMMANDS], env[REPLIES]
    for name in (COMMANDS, REPLIES, DESCRIPTORS):
        env.pop(name, None)
    # Keep this order. Opening a FIFO blocks until the engine opens the other end, and it opens this
    # one first.
    writer = Writer(_open(replies, os.O_WRONLY | os.O_APPEND))
    reader = Reader(_open(commands, os.O_RDONLY))
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _leave(reader.fd, writer.fd))
    return reader, writer


def _leave(*descriptors):
    """Close the streams in a forked child of the benchmarked code."""
    for fd in descriptors:
        try:
            if fd > 2:
                os.close(fd)
        except OSError:
            pass


def _open(path, flags):
    inherited = {"/dev/stdin": 0, "/dev/stdout": 1}.get(path)
    named = re.fullmatch("/dev/fd/([0-9]+)", path)
    if named:
        inherited = int(named.group(1))
    try:
        fd = os.open(path, flags)
    except OSError:
        # A socket cannot be opened by its path.
        if inherited is None:
            raise
        os.set_inheritable(inherited, False)
        return inherited
    if inherited is not None and inherited > 2:
        os.close(inherited)
    return fd
