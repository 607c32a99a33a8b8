// tenant: who owns; actor: who acts; API key: with what.
// event: a fact in the past tense; consumer: one listener; routing: the map from event to consumers.
// outbox: what consumers still owe; relay: the loop that sends it; queue: a lane; job: a unit of work; worker: a process; handler: a function.
// endpoint: a receiver's address; delivery: event x endpoint; attempt: one POST; dead: attempts used up, kept and visible.
// task: the work item; plan: who is meant to do it; lease: the right to work on it for a while; claim: the act of taking it.
// inbound event: one verified receipt from outside.
export { constraintWords, errorCodes } from './error-codes.ts';
export { ruleOfIssue } from './rule-of-issue.ts';
export { unnamedMetadata } from './unnamed.ts';
export { type EventDef, defineEvents } from './events/event.ts';
export {
  type EventData,
  type EventFacts,
  type Events,
  type EventType,
  events,
  type StoredEvent,
  subscribableEventTypes,
} from './events/catalogue.ts';
export { consumersOf, publicEventConsumer, routing } from './events/routing.ts';
export { type TaskFacts } from './events/task.events.ts';
export { type ErrorResponse, errorResponse, type ReceiverErrorResponse, receiverErrorResponse } from './http/error.ts';
export { type ReadinessResponse, readinessResponse, serviceIndex } from './http/health.ts';
export {
  cursorPagination,
  defaultPageSize,
  listBody,
  listQuery,
  listResponse,
  maxCursorLength,
  maxPageBytes,
  maxPageSize,
  offsetMetadata,
  type Page,
  pageOf,
  type PageOfItems,
} from './http/list.ts';
export {
  type PerformanceMetrics,
  performanceMetrics,
  type PerformancePeriod,
  performancePeriods,
  performanceQuery,
} from './http/analytics.ts';
export {
  type Consumer,
  type JobName,
  type JobPayload,
  type QueueName,
  type Queues,
  queueOf,
  queues,
  type Send,
} from './jobs/catalogue.ts';
export { eventBatch, type JobDef, maxEventsPerJob } from './jobs/job.ts';
export { maxDeliveriesPerJob } from './jobs/webhooks.jobs.ts';
export {
  type Actor,
  defaultTenantId,
  type Principal,
  type RequestSource,
  type Scope,
  scopeMeanings,
  scopes,
  type Tier,
  tiers,
} from './principal.ts';
export {
  type AgentDetail,
  agentDetail,
  agentList,
  type AgentListQuery,
  agentListQuery,
  type AgentResource,
  agentResource,
  agentStatuses,
  type ChangeAgentBody,
  changeAgentBody,
  type CreateAgentBody,
  createAgentBody,
  presences,
} from './http/agents.ts';
export {
  freeForm,
  hours,
  idOutput,
  parseTimestamp,
  requiredText,
  role,
  tag,
  timestampInput,
  timestampOutput,
} from './fields.ts';
export { type Directive, directive, directiveList } from './http/directives.ts';
export {
  type AcknowledgeBody,
  acknowledgeBody,
  type ArtifactBody,
  artifactBody,
  type ArtifactResource,
  artifactResult,
  type CheckpointBody,
  checkpointBody,
  claimBody,
  type ClaimContext,
  claimContext,
  type ClaimResult,
  claimResult,
  type CompleteBody,
  completeBody,
  type FailBody,
  failBody,
  type HandoffBody,
  handoffBody,
  type HeartbeatBody,
  heartbeatBody,
  type Lease,
  type LeaseResult,
  leaseResult,
  type MessageBody,
  messageBody,
  type NewArtifact,
  type ProgressBody,
  progressBody,
  type ReleaseBody,
  releaseBody,
} from './http/leases.ts';
export {
  type ActivityEntry,
  type ChangeTaskBody,
  changeTaskBody,
  type CommentBody,
  commentBody,
  type CreateTaskBody,
  createTaskBody,
  maxShownBytes,
  maxShownEntries,
  type Milestone,
  type TaskDetail,
  taskDetail,
  type TaskListItem,
  taskListItem,
  taskPriorities,
  type TaskResource,
  taskResource,
  taskStatuses,
  type WaitingOn,
} from './http/tasks.ts';
export {
  type ArtifactDetail,
  artifactDetail,
  type ArtifactFilter,
  artifactKinds,
  artifactList,
  artifactListQuery,
} from './http/artifacts.ts';
export {
  type ReviewBody,
  reviewBody,
  type Acceptance,
  acceptance,
  type AcceptancePatch,
  acceptancePatch,
} from './http/reviews.ts';
export {
  type AnswerInputBody,
  answerInputBody,
  type AskedInput,
  askedInput,
  type AskInputBody,
  askInputBody,
  type InputFilter,
  inputKinds,
  inputList,
  inputListQuery,
  type InputResource,
  inputResource,
  inputStatuses,
} from './http/inputs.ts';
export { type TaskFilter, taskListQuery } from './http/task-list.ts';
export { eventList, type EventListQuery, eventListQuery, type EventResource, eventResource } from './http/events.ts';
export { streamQuery } from './http/streams.ts';
export { type TimelineItem, timelineItem, timelineList, type TimelineQuery, timelineQuery } from './http/timeline.ts';
export {
  type CreatedWebhook,
  createdWebhook,
  type CreateWebhookBody,
  createWebhookBody,
  webhookList,
  type WebhookListQuery,
  webhookListQuery,
  type WebhookResource,
  webhookResource,
} from './http/webhooks.ts';
export {
  inboundAccepted,
  knownPlatformEvents,
  type PlatformEvent,
  platformEventByKind,
  platformEventPattern,
  type PlatformHistoryItem,
  platformIdField,
  type PlatformKind,
  platformKinds,
  type PlatformTaskEvent,
  pullRequestEvent,
  type PullRequestEvent,
  unknownPlatformEvent,
} from './http/inbound.ts';
export {
  type ChangeIntegrationBody,
  changeIntegrationBody,
  type CreateIntegrationBody,
  createIntegrationBody,
  integration,
  integrationFields,
  integrationList,
  integrationListFields,
  type IntegrationListQuery,
  integrationListQuery,
  integrationStatuses,
  type IntegrationType,
  integrationTypes,
  type IntegrationView,
  maxStatusWords,
  type PlatformStatusMeaning,
  platformStatusMeanings,
} from './http/integrations.ts';
export { type AuditEntry, auditEntry, auditList, auditListQuery } from './http/admin/audit.ts';
export {
  type ChangeClientBody,
  changeClientBody,
  clientList,
  type ClientListQuery,
  clientListQuery,
  clientReadOnly,
  type ClientResource,
  clientResource,
  type CreateClientBody,
  createClientBody,
  type ShownClient,
  shownClient,
} from './http/admin/clients.ts';
export {
  type ChangeKeyBody,
  changeKeyBody,
  keyList,
  keyListQuery,
  keyReadOnly,
  type KeyResource,
  keyResource,
  keyStatuses,
  type KeyStatus,
  type MintAgentKeyBody,
  mintAgentKeyBody,
  type MintKeyBody,
  mintKeyBody,
  rotateKeyBody,
  scopeList,
  type ShownKey,
  shownKey,
} from './http/admin/keys.ts';
export {
  type ChangeUserBody,
  changeUserBody,
  createdUser,
  type CreateUserBody,
  createUserBody,
  emailInput,
  newPassword,
  passwordLength,
  sessionResource,
  signInBody,
  userList,
  userListQuery,
  userReadOnly,
  type UserResource,
  userResource,
  userStatuses,
} from './http/admin/users.ts';
export {
  maxRunHistory,
  type RunDetail,
  runDetail,
  type RunFilter,
  runList,
  type RunListItem,
  runListItem,
  runListQuery,
  type RunResource,
  runResource,
  runStatuses,
  type RunStepDetail,
  type RunStepSummary,
  runStepSummary,
  type StartRunBody,
  startRunBody,
  stepStatuses,
} from './http/workflows/runs.ts';
export {
  type RunTimelineItem,
  runTimelineItem,
  runTimelineList,
  type RunTimelineQuery,
  runTimelineQuery,
} from './http/workflows/run-timeline.ts';
export {
  type ChangeWorkflowBody,
  changeWorkflowBody,
  createWorkflowBody,
  type ParameterDefinition,
  parameterTypes,
  type StepComparison,
  type StepCondition,
  type StepDefinition,
  type WorkflowDefinition,
  workflowDefinition,
  type WorkflowDefinitionBody,
} from './http/workflows/workflow-definition.ts';
export {
  type WorkflowDetail,
  workflowDetail,
  workflowList,
  workflowListFields,
  type WorkflowListQuery,
  workflowListQuery,
  type WorkflowResource,
  workflowResource,
} from './http/workflows/workflows.ts';
