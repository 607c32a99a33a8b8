import {
  changeTaskBody,
  commentBody,
  createTaskBody,
  idOutput,
  listBody,
  listResponse,
  messageBody,
  pageOf,
  reviewBody,
  taskCounts,
  taskDetail,
  taskListItem,
  taskListQuery,
  taskResource,
  timelineItem,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import {
  assertSeesTask,
  assertUsableAcceptance,
  cancelTask,
  changeTask,
  commentOnTask,
  countTasks,
  createTask,
  decideByHand,
  getTask,
  listTasks,
  retryTask,
  sendMessage,
} from '@eas/tasks';
import { z } from 'zod';

const tags = ['Tasks'] as const;
const readOnly = [
  'id',
  'status',
  'created_at',
  'updated_at',
  'progress',
  'activity',
  'activity_truncated',
  'timeline_url',
  'summary',
  'result',
  'scores',
  'artifacts',
  'artifacts_truncated',
  'submission',
  'waiting_on',
  'stalled_at',
  'rework_rounds',
  'workflow_run_id',
];
const params = z.object({ task_id: idOutput });

const decisionTexts = {
  approve: {
    operationId: 'approveTask',
    summary: 'Approve a task',
    description: [
      'Approves the work of a task in review and completes the task. Use it to decide as a person, also in place of the agent that was to review.',
      'Send the `submission` that you were shown: work that was done again in the meantime is then not approved by mistake.',
      'The open review task, if there is one, is cancelled. Sends the event `task.completed`.',
    ],
  },
  reject: {
    operationId: 'rejectTask',
    summary: 'Reject a task',
    description: [
      'Rejects the work of a task in review: the task becomes `open` and has to be done again. The comment tells the next agent what to change.',
      'Send the `submission` that you were shown: work that was done again in the meantime is then not rejected by mistake.',
      'The open review task, if there is one, is cancelled. Sends the event `task.updated`.',
    ],
  },
} as const;

export const taskRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/tasks',
    operationId: 'createTask',
    summary: 'Create a task',
    description: [
      'Creates a task for a role (`assigned_role`), for one agent (`assigned_agent`), or for agents of any role. Use it to hand work to your agents.',
      'The task starts in the status `created`. The service plans it for an agent of the role, and an eligible agent claims it. Subscribe to `task.completed` or read the task to learn how it ends.',
      'Sends the event `task.created`. Send an `Idempotency-Key` so that you can safely repeat the request.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    body: createTaskBody,
    readOnly,
    responses: {
      201: {
        description: 'The created task.',
        schema: taskResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_request', 'invalid_input'],
    prepare: (ctx, { body }) => assertUsableAcceptance(ctx, body.contract),
    handler: async (ctx, { body }) => {
      const task = await createTask(ctx, body);
      return { status: 201, body: task, version: 1, headers: { Location: `/v1/tasks/${task.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks',
    operationId: 'listTasks',
    summary: 'List tasks',
    description: [
      'Returns a page of tasks. Use it to find tasks by status, role, agent, tag, workflow run, due date or metadata.',
      'Lists show the main fields of a task. Read a single task to see its description, progress and results.',
    ],
    tags,
    access: { scope: 'tasks:read' },
    query: taskListQuery,
    responses: {
      200: { description: 'A page of tasks, newest first by default.', schema: listResponse(taskListItem) },
    },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listTasks(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/counts',
    operationId: 'countTasks',
    summary: 'Count tasks',
    description: ['Returns how many tasks have each status. Use it to show the state of all work at a glance.'],
    tags,
    access: { scope: 'tasks:read' },
    responses: { 200: { description: 'The numbers.', schema: taskCounts } },
    errors: [],
    handler: async (ctx) => ({ status: 200, body: await countTasks(ctx) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}',
    operationId: 'getTask',
    summary: 'Get a task',
    description: [
      'Returns a task with its progress, its newest activity, its artifacts, what it is waiting for and, once it is completed, its results. Use it to follow a task or to fetch its outcome.',
      'An agent key can read the tasks that the agent holds or can claim. The `ETag` of the response is the version of the task: send it as `If-Match` when you change the task.',
    ],
    tags,
    access: { scope: ['tasks:read', 'agent:self'] },
    params,
    isVersioned: true,
    responses: { 200: { description: 'The task.', schema: taskDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params: { task_id: taskId }, principal: { scopes } }) => {
      await assertSeesTask(ctx, { taskId, scopes });
      return { status: 200, ...(await getTask(ctx, taskId)) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/tasks/{task_id}',
    operationId: 'changeTask',
    summary: 'Change a task',
    description: [
      'Changes fields of a task with a JSON merge patch. Use it to correct a task, to give it to another agent, or to end or reopen it by hand.',
      'With the status `completed` you complete a task that is not final; an agent that works on it loses its lease. With `open` you reopen a final task. No other status can be set.',
      'Sends `task.updated`, or `task.completed` when you complete the task. A new role or agent plans the task again.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: changeTaskBody,
    readOnly: readOnly.filter((field) => field !== 'status'),
    isVersioned: true,
    responses: { 200: { description: 'The task.', schema: taskDetail } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { task_id: taskId }, body, ifMatch }) => ({
      status: 200,
      ...(await changeTask(ctx, { taskId, ifMatch, body })),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tasks/{task_id}',
    operationId: 'cancelTask',
    summary: 'Cancel a task',
    description: [
      'Cancels a task that is not final. Use it when the work is no longer needed.',
      'An agent that works on the task loses its lease and gets a `cancel` directive. The task stays readable, and `retryTask` can reopen it.',
      'Sends the event `task.cancelled`.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { task_id: taskId }, ifMatch }) => {
      await cancelTask(ctx, { taskId, ifMatch });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tasks/{task_id}/comments',
    operationId: 'commentOnTask',
    summary: 'Comment on a task',
    description: [
      'Adds a comment to the history of a task, for people. The agent that works on the task is not notified: use `sendMessage` for that.',
      'Sends the event `task.commented`.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: commentBody,
    readOnly: ['id', 'seq', 'type', 'timestamp', 'actor', 'author'],
    responses: { 201: { description: 'The new entry of the timeline.', schema: timelineItem } },
    errors: ['invalid_input', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId }, body }) => ({
      status: 201,
      body: await commentOnTask(ctx, { taskId, body }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tasks/{task_id}/messages',
    operationId: 'sendMessage',
    summary: 'Send a message to the agent',
    description: [
      'Sends a message to the agent that works on a task, or to the next one that claims it. Use it to give an agent directions without taking the task away.',
      'The agent gets the message as a directive with its next call, again and again until it acknowledges it. A final task takes no messages.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: messageBody,
    readOnly: ['id', 'seq', 'type', 'timestamp', 'actor'],
    responses: { 201: { description: 'The new entry of the timeline.', schema: timelineItem } },
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { task_id: taskId }, body }) => ({
      status: 201,
      body: await sendMessage(ctx, { taskId, body }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tasks/{task_id}/retry',
    operationId: 'retryTask',
    summary: 'Retry a task',
    description: [
      'Reopens a task that is completed, failed or cancelled. Use it when the work has to be done again.',
      'The task becomes `open`, its counters of failures and lost leases start at zero, and agents can claim it again. Sends the event `task.updated`.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params,
    responses: { 200: { description: 'The task.', schema: taskDetail } },
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params: { task_id: taskId } }) => ({ status: 200, ...(await retryTask(ctx, taskId)) }),
  }),
  ...(['approve', 'reject'] as const).map((decision) =>
    defineRoute({
      method: 'POST',
      path: `/v1/tasks/{task_id}/${decision}`,
      ...decisionTexts[decision],
      tags,
      access: { scope: 'tasks:write' },
      params,
      body: reviewBody,
      isVersioned: true,
      responses: { 200: { description: 'The task.', schema: taskDetail } },
      errors: ['invalid_input', 'not_found', 'conflict'],
      handler: async (ctx, { params: { task_id: taskId }, body, ifMatch }) => ({
        status: 200,
        ...(await decideByHand(ctx, { taskId, ifMatch, decision, ...body })),
      }),
    }),
  ),
];
