"""The event loop of asynchronous bodies: one for the whole process, kept between turns."""


class Loops:
    """Runs awaitables. The loop is created on first use."""

    def __init__(self):
        self.loop = None

    def made(self, factory=None):
        """Return the loop; create it, with the factory if given."""
        if self.loop is None:
            import asyncio

            self.loop = (factory or asyncio.new_event_loop)()
            asyncio.set_event_loop(self.loop)
        return self.loop

    def run(self, awaitable):
        """Return the result of an awaitable."""
        return self.made().run_until_complete(awaitable)

    def finish(self, coroutine, is_async):
        """Return the result of a coroutine that may never wait.

        One that waits needs an asynchronous body.
        """
        if is_async:
            return self.run(coroutine)
        try:
            coroutine.send(None)
        except StopIteration as end:
            return end.value
        coroutine.close()
        raise TypeError(
            "a function that has to be awaited needs a body that is asynchronous (async def)"
        )

    def close(self):
        """End the loop with the process."""
        if self.loop is not None:
            self.loop.close()
