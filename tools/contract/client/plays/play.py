"""The five things that every generated client must do: create, claim, complete, page, webhook."""

import os
import uuid

import eas_client
from eas_client.models import ClaimRequest, CompleteRequest, CreateAgent, CreateTask, CreateWebhook

settings = eas_client.Configuration(
    host=os.environ["CONTRACT_BASE_URL"], api_key={"apiKey": os.environ["CONTRACT_API_KEY"]}
)
api = eas_client.ApiClient(settings)
tasks, agents = eas_client.TasksApi(api), eas_client.AgentsApi(api)
protocol, webhooks = eas_client.AgentProtocolApi(api), eas_client.WebhooksApi(api)

role = f"play-{uuid.uuid4().hex[:8]}"
agent = agents.create_agent(CreateAgent(name="Ada", role=role))
for title in ("One", "Two"):
    tasks.create_task(CreateTask(title=title, description="Play.", assigned_role=role))

claim = protocol.claim_task(agent.id, claim_request=ClaimRequest(wait_seconds=30))
done = CompleteRequest(fencing_token=claim.lease.fencing_token, summary="Done.", result={"words": 1})
protocol.complete_lease(claim.lease.lease_id, done)
read = tasks.get_task(claim.task.id)
assert (read.status, read.result) == ("completed", {"words": 1}), read

first = tasks.list_tasks(assigned_role=role, after="", limit=1).actual_instance
second = tasks.list_tasks(assigned_role=role, after=first.pagination.next_cursor, limit=1).actual_instance
assert len({task.id for task in first.data + second.data}) == 2, (first, second)

hook = webhooks.create_webhook(CreateWebhook(url="https://example.com/hooks", events=["task.completed"]))
assert hook.secret.startswith("whsec_"), hook
