"""The walk of the README with the generated client: an agent gets a task, works on it and completes it."""

import os
import uuid

from eas_client import AuthenticatedClient
from eas_client.api.agent_protocol import claim_task, complete_lease, report_progress
from eas_client.api.agents import create_agent, create_agent_key
from eas_client.api.events import list_events
from eas_client.api.tasks import create_task, get_task, list_tasks
from eas_client.api.webhooks import create_webhook
from eas_client.models import (
    Agent,
    ApiKeyWithSecret,
    Claim,
    ClaimRequest,
    CompleteRequest,
    CreateAgent,
    CreateAgentKey,
    CreatedWebhook,
    CreateTask,
    CreateWebhook,
    Error,
    LeaseState,
    ProgressReport,
    Subscription,
    Task,
    TaskDetail,
    TaskSummaryCursorPage,
)


def client_with(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(os.environ["CONTRACT_BASE_URL"], token=key, prefix="", auth_header_name="X-API-Key")


admin = client_with(os.environ["CONTRACT_API_KEY"])
role = f"python-{uuid.uuid4().hex[:8]}"

agent = create_agent.sync(client=admin, body=CreateAgent(name="Ada", role=role))
assert isinstance(agent, Agent), agent
key = create_agent_key.sync(agent.id, client=admin, body=CreateAgentKey(name="of Ada"))
assert isinstance(key, ApiKeyWithSecret), key

body = CreateTask(title="Limit login attempts", description="Five a minute, then 429.", assigned_role=role)
task = create_task.sync(client=admin, body=body)
assert isinstance(task, Task), task

worker = client_with(key.key)
claim = claim_task.sync(agent.id, client=worker, body=ClaimRequest(wait_seconds=30))
assert isinstance(claim, Claim), claim
assert claim.task.id == task.id
lease, token = claim.lease.lease_id, claim.lease.fencing_token

report = ProgressReport(fencing_token=token, percent_complete=60, comment="The counter is in.")
progress = report_progress.sync(lease, client=worker, body=report)
assert isinstance(progress, LeaseState), progress
ended = complete_lease.sync(lease, client=worker, body=CompleteRequest(fencing_token=token, summary="Limited."))
assert isinstance(ended, LeaseState), ended

read = get_task.sync(task.id, client=admin)
assert isinstance(read, TaskDetail), read
assert (read.status, read.progress.percent_complete) == ("completed", 100), read

first = list_tasks.sync(client=admin, assigned_role=role, after="", limit=1)
assert isinstance(first, TaskSummaryCursorPage), first
assert ([item.id for item in first.data], first.pagination.has_more) == ([task.id], False), first

hook = create_webhook.sync(
    client=admin, body=CreateWebhook(url="https://example.com/hooks", events=[Subscription.TASK_COMPLETED])
)
assert isinstance(hook, CreatedWebhook), hook

events = list_events.sync(client=admin, limit=100)
assert events is not None and not isinstance(events, Error), events
assert len(events.data) > 0

late = complete_lease.sync(lease, client=worker, body=CompleteRequest(fencing_token=token))
assert isinstance(late, Error), late
assert late.error.code == "conflict", late
