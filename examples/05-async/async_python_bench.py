import asyncio
from pathlib import Path

from derny import bench, group

file = Path(__file__)

with group("read"):

    # Returns a string: the body runs in a plain loop.
    @bench
    def synchronous():
        return file.read_text()

    # A coroutine: it is awaited in each iteration, within the timed region, on one event loop.
    @bench
    async def thread():
        return await asyncio.get_running_loop().run_in_executor(None, file.read_text)


# One turn of the event loop.
@bench
async def turn():
    await asyncio.sleep(0)


# What awaiting costs by itself.
@bench("await")
async def wait():
    await nothing()


async def nothing():
    pass
