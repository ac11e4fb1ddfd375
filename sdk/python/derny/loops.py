"""The event loop of asynchronous bodies. It is created once per process and kept between turns."""


class Loops:
    """Runs awaitables on an event loop, which is created on first use."""

    def __init__(self):
        self.loop = None

    def made(self, factory=None):
        if self.loop is None:
            import asyncio

            self.loop = (factory or asyncio.new_event_loop)()
            asyncio.set_event_loop(self.loop)
        return self.loop

    def run(self, awaitable):
        return self.made().run_until_complete(awaitable)

    def finish(self, coroutine, is_async):
        """Return the result of a coroutine. Raise an error if it has to wait and the body is not
        asynchronous.
        """
        if is_async:
            return self.run(coroutine)
        try:
            coroutine.send(None)
        except StopIteration as end:
            return end.value
        coroutine.close()
        raise TypeError(
            "a function that must be awaited needs an asynchronous body (async def)"
        )

    def close(self):
        if self.loop is not None:
            self.loop.close()
