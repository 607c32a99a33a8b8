// The five things that every generated client must do: create, claim, complete, page, webhook.
package eas;

import eas.api.AgentProtocolApi;
import eas.api.AgentsApi;
import eas.api.TasksApi;
import eas.api.WebhooksApi;
import eas.model.Agent;
import eas.model.Claim;
import eas.model.ClaimRequest;
import eas.model.CompleteRequest;
import eas.model.CreateAgent;
import eas.model.CreateTask;
import eas.model.CreateWebhook;
import eas.model.CreatedWebhook;
import eas.model.Subscription;
import eas.model.TaskDetail;
import eas.model.TaskSummaryCursorPage;
import java.util.List;

public class Play {
    static void check(boolean isSo, Object what) {
        if (!isSo) throw new IllegalStateException(String.valueOf(what));
    }

    static TaskSummaryCursorPage pageAfter(TasksApi tasks, String role, String cursor) throws ApiException {
        // limit, offset, after, sort, id, title, status, priority, assigned_role, and filters that are not used
        return tasks.listTasks(1, null, cursor, null, null, null, null, null, role,
                null, null, null, null, null, null, null, null, null, null, null, null, null, null).getTaskSummaryCursorPage();
    }

    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("CONTRACT_BASE_URL"));
        client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("CONTRACT_API_KEY")));
        TasksApi tasks = new TasksApi(client);
        AgentProtocolApi protocol = new AgentProtocolApi(client);

        String role = "play-" + System.nanoTime();
        Agent agent = new AgentsApi(client).createAgent(new CreateAgent().name("Ada").role(role), null);
        for (String title : List.of("One", "Two")) {
            tasks.createTask(new CreateTask().title(title).description("Play.").assignedRole(role), null);
        }

        Claim claim = protocol.claimTask(agent.getId(), null, new ClaimRequest().waitSeconds(30));
        CompleteRequest done = new CompleteRequest().fencingToken(claim.getLease().getFencingToken()).summary("Done.");
        protocol.completeLease(claim.getLease().getLeaseId(), done, null);
        TaskDetail read = tasks.getTask(claim.getTask().getId());
        check("completed".equals(read.getStatus().getValue()), read);

        TaskSummaryCursorPage first = pageAfter(tasks, role, "");
        TaskSummaryCursorPage second = pageAfter(tasks, role, first.getPagination().getNextCursor());
        check(!first.getData().get(0).getId().equals(second.getData().get(0).getId()), second);

        CreateWebhook hook = new CreateWebhook().url(java.net.URI.create("https://example.com/hooks"));
        CreatedWebhook made = new WebhooksApi(client).createWebhook(hook.addEventsItem(Subscription.TASK_COMPLETED), null);
        check(made.getSecret().startsWith("whsec_"), made);
    }
}
