// Work of agents.
export { type Claim } from './working/claims/claim.ts';
export { releaseClaim } from './working/claims/release-claim.ts';
export { resumeLease } from './working/claims/resume-lease.ts';
export { giveBack, waitForClaim } from './working/claims/wait-for-claim.ts';
export { createWaitingClaims, type WaitingClaims } from './working/claims/waiting-claims.ts';
export { appendEntries } from './working/leases/append-entries.ts';
export { awaitDirectives } from './working/leases/await-directives.ts';
export { askInput } from './working/leases/ask-input.ts';
export { attachArtifact } from './working/leases/attach-artifact.ts';
export { completeTask } from './working/leases/complete-task.ts';
export { failTask } from './working/leases/fail-task.ts';
export { handOffTask } from './working/leases/hand-off-task.ts';
export { heartbeatLease } from './working/leases/heartbeat-lease.ts';
export { type LeaseCall } from './working/leases/lease-work.ts';
export { leaveCheckpoint } from './working/leases/leave-checkpoint.ts';
export { releaseTask } from './working/leases/release-task.ts';
export { reportProgress } from './working/leases/report-progress.ts';
export { requestPermission } from './working/leases/request-permission.ts';
export { reportModelCall } from './working/model-calls/report-model-call.ts';
export { startModelCall } from './working/model-calls/start-model-call.ts';
export { sendRunnerHeartbeat } from './working/runners/send-runner-heartbeat.ts';
export { registerRunner } from './working/runners/register-runner.ts';
// Changes by people and platforms.
export { answerInput } from './steering/answer-input.ts';
export {
  type PlatformChange,
  platformChanges,
  type PlatformChanges,
  type PlatformComment,
} from './steering/platform-changes.ts';
export { type GivenReview, readGivenReviews, readNewestReviews } from './reading/artifacts/given-review.read-model.ts';
export { placeOf } from './records/acceptance/line-findings.ts';
export { addToFinding } from './steering/add-to-finding.ts';
export type { Finding } from './steering/take-finding.ts';
export { cancelTask } from './steering/cancel-task.ts';
export { changeAgent } from './steering/change-agent.ts';
export { changeTask } from './steering/change-task.ts';
export { changeBudget, removeBudget } from './steering/budgets/change-budget.ts';
export { changeModelPrices } from './steering/budgets/change-model-prices.ts';
export { createBudget } from './steering/budgets/create-budget.ts';
export { commentOnTask } from './steering/comment-on-task.ts';
export { archiveProject, unarchiveProject } from './steering/archive-project.ts';
export { changeProject } from './steering/change-project.ts';
export { createAgent } from './steering/create-agent.ts';
export { createProject } from './steering/create-project.ts';
export { changePolicy } from './steering/policies/change-policy.ts';
export { createPolicy } from './steering/policies/create-policy.ts';
export { removePolicy } from './steering/policies/remove-policy.ts';
export { takeBackPermission } from './steering/policies/take-back-permission.ts';
export { decideByHand } from './steering/decide-by-hand.ts';
export { drainAgent, pauseAgent, resumeAgent } from './steering/pause-agent.ts';
export { drainRunner } from './steering/drain-runner.ts';
export { changeProfile } from './steering/profiles/change-profile.ts';
export { createProfile } from './steering/profiles/create-profile.ts';
export { removeProfile } from './steering/profiles/remove-profile.ts';
export { removeAgent } from './steering/remove-agent.ts';
export { removeRunner } from './steering/remove-runner.ts';
export { retryTask } from './steering/retry-task.ts';
export { sendMessage } from './steering/send-message.ts';
export { timeOutTask } from './steering/time-out-task.ts';
// Planning.
export { createPlannedTasks } from './planning/create-planned-tasks.ts';
export { planTasks } from './planning/plan-tasks.ts';
// Loops over all tenants.
export { nextInputExpiryAt, sweepExpiredInputs } from './sweeping/input.sweeper.ts';
export { nextUnreportedCallAt, sweepOldBudgetPeriods, sweepUnreportedCalls } from './sweeping/model-call.sweeper.ts';
export { nextLeaseExpiryAt, sweepExpiredLeases } from './sweeping/lease.sweeper.ts';
export { nextUnrevivedAt, sweepUnrevivedLeases } from './sweeping/parked-lease.sweeper.ts';
export { sweepOldRunners } from './sweeping/old-runner.sweeper.ts';
export { sweepPresence } from './sweeping/presence.sweeper.ts';
export { recordSightings } from './sweeping/record-sightings.ts';
export { sweepStalledTasks } from './sweeping/stalled-task.sweeper.ts';
export { fireTaskAlarms, nextTaskAlarmAt } from './sweeping/task-alarm.sweeper.ts';
export { aggregateTaskCounts, nextTaskCountAt, readTaskTotals } from './sweeping/task-count.sweeper.ts';
export { sweepDurations } from './sweeping/task-duration.sweeper.ts';
// Changes by other features.
export { createTask } from './moves/create-task.ts';
export { type NewTask } from './moves/new-task.ts';
// Resources and pages.
export { findAgentNames } from './reading/agent.read-model.ts';
export { countTasks } from './reading/count-tasks.ts';
export { followSession } from './reading/session/follow-session.ts';
export { followTimeline } from './reading/follow-timeline.ts';
export { getArtifact } from './reading/artifacts/get-artifact.ts';
export { type PushedWork, readPushedWork } from './reading/artifacts/pushed-work.read-model.ts';
export { getAgent } from './reading/get-agent.ts';
export { getInput } from './reading/get-input.ts';
export { getTask } from './reading/get-task.ts';
export { whyCancelled } from './reading/input.read-model.ts';
export { listAgents } from './reading/list-agents.ts';
export { listHeldLeases } from './reading/list-held-leases.ts';
export { listArtifacts } from './reading/list-artifacts.ts';
export { listInputs } from './reading/list-inputs.ts';
export { listSession } from './reading/session/list-session.ts';
export { listTaskPermissions } from './reading/list-task-permissions.ts';
export { listTasks } from './reading/list-tasks.ts';
export { listTimeline } from './reading/list-timeline.ts';
export { readTaskStates, type TaskState } from './reading/task-state.read-model.ts';
export { findNamedTasks } from './reading/task.read-model.ts';
export { assertSeesAgent, assertSeesTask, ownAgentId } from './reading/what-agents-see.ts';
// Rules and rows that others need.
export { assertAcceptance, assertUsableAcceptance } from './records/acceptance/acceptance.ts';
export { checkResult } from './records/acceptance/check-result.ts';
export { mergePatch } from './records/acceptance/merge-patch.ts';
export { lockAssignable } from './records/agents/agent.store.ts';
export { type ProfileChange } from './records/profiles/profile.ts';
export {
  getProfile,
  getProfileOfAgent,
  getProfileVersion,
  listProfiles,
  listProfileVersions,
} from './records/profiles/read-profiles.ts';
export { getBudget, listBudgets } from './records/budgets/read-budgets.ts';
export { getModelPrices } from './records/model-calls/read-prices.ts';
export { type ProjectChange } from './records/projects/project.ts';
export { getPolicy, listPolicies } from './records/permissions/read-policies.ts';
export { findUnknownProjects } from './records/projects/project.store.ts';
export { getProject, listProjects } from './records/projects/read-projects.ts';
export { getRunner, listRunners } from './records/runners/read-runners.ts';
export { type RepositoryRules } from './records/projects/url-rules.ts';
export { recordCallers, type Sightings } from './records/agents/sightings.ts';
export { isFinal } from './records/tasks/task.ts';
