"""Calls the tools of `derny mcp` with the official Python client: version 1 shakes hands, version 2 does not
need to. Arguments: the engine, and a project with the suite `first`. Prints `N passed, N failed`.
"""

import asyncio
import sys
import time
from importlib.metadata import version

from mcp import StdioServerParameters

ENGINE, PROJECT = sys.argv[1:]
SERVER = StdioServerParameters(command=ENGINE, args=["mcp"], cwd=PROJECT)
SIDES = [{"name": "a", "revision": "."}, {"name": "b", "revision": "."}]
MAJOR = int(version("mcp").split(".")[0])
counts = {True: 0, False: 0}


def check(what, holds):
    counts[bool(holds)] += 1
    print("passed" if holds else "FAILED", what)


def field(result, old, new):
    """Returns a field of a result, which the two versions spell differently."""
    return getattr(result, new) if hasattr(result, new) else getattr(result, old)


def structured(result):
    return field(result, "structuredContent", "structured_content")


def failed(result):
    return field(result, "isError", "is_error")


async def calls(session):
    tools = {tool.name for tool in (await session.list_tools()).tools}
    check("the tools are listed", {"diff", "run", "judge", "list", "show", "doctor", "explain"} <= tools)
    listed = await session.call_tool("list", {})
    check("cases are listed", structured(listed)["count"] > 0 and not failed(listed))
    case = structured(listed)["cases"][0]["case"]
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    arguments = {"patterns": [case], "sides": SIDES, "quick": True, "budget": "500ms"}
    ran = await session.call_tool("run", arguments, progress_callback=progress)
    row = structured(ran)["cases"][0]
    check("a comparison has a verdict and a change", row["case"] == case and row["verdict"] and row["change"] is not None)
    check("its text names the run", structured(ran)["run"] in ran.content[0].text)
    check("progress is told", len(seen) > 0 and seen[-1][1] == 900)
    shown = await session.call_tool("show", {"run": structured(ran)["run"]})
    check("a run is shown again", structured(shown)["cases"] == structured(ran)["cases"])
    checks = await session.call_tool("doctor", {})
    check("the machine is checked", structured(checks)["checks"])
    refused = await session.call_tool("run", {"patterns": ["../../etc/passwd"]})
    check("a path outside is refused", failed(refused) and "outside the project" in refused.content[0].text)
    limited = await session.call_tool("run", {"budget": "60s", "timeout": 1})
    check("a time limit ends a call", failed(limited) and "time limit" in limited.content[0].text)
    explained = await session.call_tool("explain", {"code": "DY101"})
    check("a code is explained", explained.content[0].text.startswith("DY101"))


async def old():
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    async with stdio_client(SERVER) as streams, ClientSession(*streams) as session:
        hello = await session.initialize()
        check(f"shakes hands as of {field(hello, 'protocolVersion', 'protocol_version')}", True)
        if MAJOR < 2:
            await calls(session)
        else:  # `new` calls the tools with the same client
            check("a case is listed", structured(await session.call_tool("list", {}))["count"] > 0)


async def new():
    from mcp import Client

    async with Client(SERVER) as client:
        check(f"speaks {client.protocol_version}", client.protocol_version == "2026-07-28")
        await calls(client)


async def leave():
    """Closes the connection amid a call. The server ends, within the time that clients give it."""
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    start = time.monotonic()
    async with stdio_client(SERVER) as streams, ClientSession(*streams) as session:
        await session.initialize()
        call = asyncio.create_task(session.call_tool("run", {"budget": "60s"}))
        await asyncio.sleep(1)
        call.cancel()
    check("a client leaves amid a call", time.monotonic() - start < 20)


asyncio.run(old())
if MAJOR >= 2:
    asyncio.run(new())
asyncio.run(leave())
print(f"{counts[True]} passed, {counts[False]} failed")
sys.exit(counts[False] > 0)
