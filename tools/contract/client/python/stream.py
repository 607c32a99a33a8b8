"""What httpx-sse reports of an event stream, up to a heartbeat and the event after it."""

import os

import httpx
from httpx_sse import EventSource

headers = {"X-API-Key": os.environ["CONTRACT_API_KEY"]}
client = httpx.Client(base_url=os.environ["CONTRACT_BASE_URL"], headers=headers, timeout=30)


def post(path, **body):
    return client.post(path, json=body).raise_for_status().json()


task = post("/v1/tasks", title="Watch me", description="On a stream.")["id"]
read = b""
with client.stream("GET", f"/v1/tasks/{task}/events") as response:
    for part in response.iter_raw():
        is_first = b": heartbeat" not in read
        read += part
        if b": heartbeat" in read and is_first:
            post(f"/v1/tasks/{task}/comments", content="After the heartbeat.")
        if b"After the heartbeat." in read:
            break
    copy = httpx.Response(200, headers=response.headers, content=read)

opening, *events = EventSource(copy).iter_sse()
assert (opening.id, opening.data) == ("0", ""), opening
assert [(event.id, event.event) for event in events] == [("1", "created"), ("2", "comment")], events
assert all(event.json() for event in events), events
