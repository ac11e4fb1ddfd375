import asyncio
from pathlib import Path

from derny import bench, group

file = Path(__file__)

with group("read"):

    # Returns a string, so the body runs in a plain loop.
    @bench
    def synchronous():
        return file.read_text()

    # A coroutine. Each iteration awaits it within the timed region, on one event loop.
    @bench
    async def thread():
        return await asyncio.get_running_loop().run_in_executor(None, file.read_text)


# Measures one iteration of the event loop.
@bench
async def turn():
    await asyncio.sleep(0)


# Measures the cost of awaiting alone.
@bench("await")
async def wait():
    await nothing()


async def nothing():
    pass
