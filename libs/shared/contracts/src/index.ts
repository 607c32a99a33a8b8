// tenant: the owner; actor: who acts; API key: its credential. event: a fact in the past tense; consumer: one listener;
// routing: the map from event to consumers. outbox: events that consumers have not handled yet; relay: the loop that
// sends them; queue: a named list of jobs; job: a unit of work; worker: a process; handler: a function. endpoint: a
// receiver's address; delivery: event x endpoint; attempt: one POST; dead: attempts used up, still stored and visible.
// task: the work item; plan: the agent it is intended for; lease: the right to work on it for a while; claim: the act
// of taking it. inbound event: one verified receipt from outside.
export { constraintWords, errorCodes } from './error-codes.ts';
export { ruleOfIssue } from './rule-of-issue.ts';
export { unnamedMetadata } from './unnamed.ts';
export {
  type EventData,
  type EventFacts,
  type EventType,
  events,
  exampleDataOf,
  type PublicEventType,
  publicEventTypes,
  type StoredEvent,
  subscribableEventTypes,
} from './events/catalogue.ts';
export {
  consumers,
  consumersOf,
  followers,
  numbering,
  type OutboxConsumer,
  routing,
  typesFor,
  wantsEvent,
} from './events/routing.ts';
export { scopesToRead, scopesToReadMore, subscriptionsOf, typesOf, typesToRead } from './events/subscription.ts';
export { type TaskFacts } from './events/task.events.ts';
export {
  type Consumer,
  type JobName,
  type JobPayload,
  type QueueName,
  type Queues,
  jobOf,
  queueOf,
  queues,
  type Send,
} from './jobs/catalogue.ts';
export { type JobDef, maxEventsPerJob } from './jobs/job.ts';
export { maxDeliveriesPerJob } from './jobs/webhooks.jobs.ts';
export { type MetricLabel, type MetricName, metricCatalogue } from './metrics/catalogue.ts';
export { type MetricApp, metricApps, type MetricDef } from './metrics/metric.ts';
export {
  type Actor,
  defaultTenantId,
  type Principal,
  type RequestSource,
  roleScopes,
  type Scope,
  scopeMeanings,
  scopes,
  type TenantLimit,
  type TenantRetention,
  type TenantTerms,
  type Tier,
  tiers,
  type UserRole,
  userRoles,
} from './principal.ts';
export { matchesGlob } from './glob.ts';
export { type UsageFigures, usageFigureNames } from './usage-figures.ts';
export { isHeaderText } from './secrets.ts';
export { idOutput, parseTimestamp, role, timestampOutput } from './fields.ts';

// Everything in these files is public: what clients and the service send each other.
export * from './http/admin/audit.ts';
export * from './http/admin/clients.ts';
export * from './http/admin/keys.ts';
export * from './http/admin/names.ts';
export * from './http/admin/system.ts';
export * from './http/admin/tenant-usage.ts';
export * from './http/admin/users.ts';
export * from './http/admin/views.ts';
export * from './http/agents/agents.ts';
export * from './http/analytics.ts';
export * from './http/artifacts.ts';
export { type Form, type FormContent, type FormField } from './http/asking/form.ts';
export { contentViolations } from './http/asking/form-content.ts';
export { formInput } from './http/asking/form-input.ts';
export { optionsOf } from './http/asking/form-options.ts';
export { contentLines, fieldLines, readValue, soleChoiceOf } from './http/asking/form-text.ts';
export { decisionsOf } from './http/asking/input-decision.ts';
export { type Permission, permissionInput, subjectOf, toolKinds } from './http/asking/permission.ts';
export { changedLines, fileLines } from './http/asking/permission-text.ts';
export * from './http/integrations/chat-messages.ts';
export * from './http/directives.ts';
export * from './http/durations.ts';
export * from './http/error.ts';
export * from './http/events.ts';
export * from './http/git/git-names.ts';
export { type Repository } from './http/git/git-settings.ts';
export * from './http/git/git-url.ts';
export * from './http/git/git-url-names.ts';
export * from './http/health.ts';
export * from './http/inbound/inbound-events.ts';
export * from './http/inbound/inbound-replays.ts';
export * from './http/inbound/inbound-bodies.ts';
export * from './http/inbound/inbound.ts';
export * from './http/inputs.ts';
export * from './http/integrations/integrations.ts';
export * from './http/leases.ts';
export * from './http/list.ts';
export * from './http/agents/local-runners.ts';
export { readRetryAfter } from './retry-after.ts';
export { isLoopback } from './loopback.ts';
export * from './http/permissions/permission-policies.ts';
export type { PermissionRule } from './http/permissions/permission-rules.ts';
export * from './http/permissions/request-permission.ts';
export * from './http/permissions/task-permissions.ts';
export * from './http/platform/platform-settings.ts';
export * from './http/platform/reconciles.ts';
export * from './http/platform-task.ts';
export { budgetKey } from './http/profiles/profile-budgets.ts';
export * from './http/profiles/profile-settings.ts';
export * from './http/profiles/profiles.ts';
export * from './http/projects.ts';
export * from './http/agents/runners.ts';
export * from './http/reviews.ts';
export * from './http/sessions.ts';
export * from './http/inbound/source-host-bodies.ts';
export * from './http/streams.ts';
export * from './http/task-list.ts';
export * from './http/tasks.ts';
export * from './http/admin/tenants.ts';
export { type BudgetPeriod, type BudgetTerms, type BudgetUnit, limitProblem } from './http/usage/budget-terms.ts';
export * from './http/usage/budgets.ts';
export * from './http/usage/model-calls.ts';
export * from './http/usage/model-prices.ts';
export * from './http/usage/usage.ts';
export * from './http/timeline.ts';
export * from './http/webhooks/deliveries.ts';
export * from './http/webhooks/replays.ts';
export * from './http/webhooks/webhook-events.ts';
export * from './http/webhooks/webhook-headers.ts';
export * from './http/webhooks/webhook-tests.ts';
export * from './http/webhooks/webhooks.ts';
export * from './http/workflows/run-timeline.ts';
export * from './http/workflows/runs.ts';
export * from './http/workflows/workflow-definition.ts';
export * from './http/workflows/workflows.ts';
export {
  type PlannedRunner,
  plannedRunner,
  type SupervisorCall,
  type SupervisorRefusal,
  supervisorRequest,
  supervisorResponse,
  type SupervisorResult,
} from './http/agents/local-runner-messages.ts';
