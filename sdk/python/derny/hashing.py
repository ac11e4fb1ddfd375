"""Hashes of results. They are the same in all processes, regardless of PYTHONHASHSEED."""

NODE_LIMIT = 10_000
DEPTH_LIMIT = 50


def hash_of(value):
    """Return 16 hexadecimal digits, which are equal for equal results.

    Large or deeply nested values are hashed in part.
    """
    return _Hasher().of(value, 0).hex()


class _Hasher:
    def __init__(self):
        # Import late, because this loads OpenSSL, which most processes do not need.
        import hashlib

        self.hashes = hashlib
        self.nodes = 0
        self.path = set()

    def of(self, value, depth):
        self.nodes += 1
        digest = self.hashes.blake2b(digest_size=8)
        if self.nodes > NODE_LIMIT or depth > DEPTH_LIMIT or id(value) in self.path:
            return digest.digest()
        self.path.add(id(value))
        try:
            for part in self._parts(value, depth + 1):
                digest.update(len(part).to_bytes(8, "little"))
                digest.update(part)
        except Exception:  # a property raised: hash what was read so far
            digest.update(b"unreadable")
        self.path.discard(id(value))
        return digest.digest()

    def _parts(self, value, depth):
        kind = type(value)
        yield kind.__qualname__.encode()
        if value is None or isinstance(value, (bool, int)):
            yield (
                str(value).encode()
                if not isinstance(value, int) or abs(value) < 1 << 64
                else hex(value).encode()
            )
        elif isinstance(value, float):
            yield repr(value + 0.0).encode()  # adding 0 turns -0.0 into 0.0
        elif isinstance(value, complex):
            yield repr(value + 0.0).encode()
        elif isinstance(value, str):
            yield value.encode("utf-8", "surrogatepass")
        elif isinstance(value, (bytes, bytearray)):
            yield bytes(value)
        elif isinstance(value, (list, tuple)):
            yield str(len(value)).encode()
            for item in value:
                if self.nodes > NODE_LIMIT:
                    return
                yield self.of(item, depth)
        elif isinstance(value, (set, frozenset)):
            yield from sorted(self.of(item, depth) for item in value)
        elif isinstance(value, dict):
            yield from sorted(
                self.of(key, depth) + self.of(item, depth) for key, item in value.items()
            )
        else:
            yield from self._object(value, depth)

    def _object(self, value, depth):
        try:
            view = memoryview(value)
        except TypeError:
            state = getattr(value, "__dict__", None)
            if isinstance(value, BaseException):
                yield str(value).encode("utf-8", "replace")
            if isinstance(state, dict) and not callable(value):
                yield self.of(dict(state), depth)
            elif hasattr(value, "__name__"):
                yield str(value.__name__).encode()
            return
        yield repr((view.format, view.shape)).encode()
        yield view.tobytes()
