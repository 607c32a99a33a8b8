// The five things that every generated client must do: create, claim, complete, page, webhook.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	eas "example.com/eas/client"
)

func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(isSo bool, what any) {
	if !isSo {
		panic(fmt.Sprint(what))
	}
}

func main() {
	settings := eas.NewConfiguration()
	settings.Servers[0].URL = os.Getenv("CONTRACT_BASE_URL")
	settings.DefaultHeader["X-API-Key"] = os.Getenv("CONTRACT_API_KEY")
	client, ctx := eas.NewAPIClient(settings), context.Background()

	role := fmt.Sprintf("play-%d", time.Now().UnixNano())
	agent := must(client.AgentsAPI.CreateAgent(ctx).CreateAgent(*eas.NewCreateAgent("Ada", role)).Execute())
	for _, title := range []string{"One", "Two"} {
		task := eas.NewCreateTask(title, "Play.")
		task.SetAssignedRole(role)
		must(client.TasksAPI.CreateTask(ctx).CreateTask(*task).Execute())
	}

	wait := eas.NewClaimRequest()
	wait.SetWaitSeconds(30)
	claim := must(client.AgentProtocolAPI.ClaimTask(ctx, agent.Id).ClaimRequest(*wait).Execute())
	done := eas.NewCompleteRequest(claim.Lease.FencingToken)
	done.SetSummary("Done.")
	must(client.AgentProtocolAPI.CompleteLease(ctx, claim.Lease.LeaseId).CompleteRequest(*done).Execute())
	read := must(client.TasksAPI.GetTask(ctx, claim.Task.Id).Execute())
	check(string(read.Status) == "completed", read.Status)

	pageAfter := func(cursor string) *eas.TaskSummaryCursorPage {
		page := must(client.TasksAPI.ListTasks(ctx).AssignedRole(role).After(cursor).Limit(1).Execute())
		check(page.TaskSummaryCursorPage != nil, "no page of the cursor style")
		return page.TaskSummaryCursorPage
	}
	first := pageAfter("")
	second := pageAfter(first.Pagination.GetNextCursor())
	check(len(first.Data) == 1 && len(second.Data) == 1 && first.Data[0].Id != second.Data[0].Id, "not two tasks")

	hook := eas.NewCreateWebhook("https://example.com/hooks", []eas.Subscription{"task.completed"})
	made := must(client.WebhooksAPI.CreateWebhook(ctx).CreateWebhook(*hook).Execute())
	check(strings.HasPrefix(made.GetSecret(), "whsec_"), made)
}
