// The five things that every generated client must do: create, claim, complete, page, webhook.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/eas/client/eas"
)

func must[T any](value T, err error) T {
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

func withKey(_ context.Context, request *http.Request) error {
	request.Header.Set("X-API-Key", os.Getenv("CONTRACT_API_KEY"))
	return nil
}

func main() {
	ctx := context.Background()
	client := must(eas.NewClientWithResponses(os.Getenv("CONTRACT_BASE_URL"), eas.WithRequestEditorFn(withKey)))

	role := fmt.Sprintf("play-%d", time.Now().UnixNano())
	agent := must(client.CreateAgentWithResponse(ctx, nil, eas.CreateAgent{Name: "Ada", Role: role})).JSON201
	check(agent != nil, "no agent")
	for _, title := range []string{"One", "Two"} {
		task := eas.CreateTask{Title: title, Description: "Play.", AssignedRole: &role}
		made := must(client.CreateTaskWithResponse(ctx, nil, task))
		check(made.JSON201 != nil, string(made.Body))
	}

	wait := 30
	claimed := must(client.ClaimTaskWithResponse(ctx, agent.Id, nil, eas.ClaimRequest{WaitSeconds: &wait}))
	check(claimed.JSON200 != nil, string(claimed.Body))
	lease, summary := claimed.JSON200.Lease, "Done."
	done := eas.CompleteRequest{FencingToken: lease.FencingToken, Summary: &summary}
	ended := must(client.CompleteLeaseWithResponse(ctx, lease.LeaseId, nil, done))
	check(ended.JSON200 != nil, string(ended.Body))
	read := must(client.GetTaskWithResponse(ctx, claimed.JSON200.Task.Id))
	check(read.JSON200 != nil && strings.Contains(string(read.Body), `"status":"completed"`), string(read.Body))

	pageAfter := func(cursor string) eas.TaskSummaryCursorPage {
		limit := 1
		query := eas.ListTasksParams{AssignedRole: &role, After: &cursor, Limit: &limit}
		listed := must(client.ListTasksWithResponse(ctx, &query))
		check(listed.JSON200 != nil, string(listed.Body))
		return must(listed.JSON200.AsTaskSummaryCursorPage())
	}
	first := pageAfter("")
	check(first.Pagination.NextCursor != nil, "no cursor")
	second := pageAfter(*first.Pagination.NextCursor)
	check(len(first.Data) == 1 && len(second.Data) == 1 && first.Data[0].Id != second.Data[0].Id, "not two tasks")

	hook := eas.CreateWebhook{Url: "https://example.com/hooks", Events: []eas.Subscription{"task.completed"}}
	made := must(client.CreateWebhookWithResponse(ctx, nil, hook))
	check(made.JSON201 != nil && strings.HasPrefix(*made.JSON201.Secret, "whsec_"), string(made.Body))
}
