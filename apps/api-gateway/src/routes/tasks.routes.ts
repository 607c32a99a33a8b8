import {
  changeTaskBody,
  commentBody,
  createTaskBody,
  idOutput,
  listAnswer,
  listResponse,
  messageBody,
  pageOf,
  reviewBody,
  taskDetail,
  taskListItem,
  taskListQuery,
  taskResource,
  timelineItem,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import {
  assertSeesTask,
  assertUsableContract,
  cancelTask,
  changeTask,
  commentOnTask,
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
  'waiting_on',
  'stalled_at',
  'workflow_run_id',
];
const params = z.object({ task_id: idOutput });

const decisionTexts = {
  approve: { operationId: 'approveTask', summary: 'Approve a task' },
  reject: { operationId: 'rejectTask', summary: 'Reject a task' },
} as const;

export const taskRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/tasks',
    operationId: 'createTask',
    summary: 'Create a task',
    tags,
    access: { scope: 'tasks:write' },
    body: createTaskBody,
    readOnly,
    responses: {
      201: { description: 'The task.', schema: taskResource, headers: { Location: 'Where the task is read.' } },
    },
    errors: ['invalid_request', 'invalid_input'],
    prepare: (ctx, { body }) => assertUsableContract(ctx, body.contract),
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
    tags,
    access: { scope: 'tasks:read' },
    query: taskListQuery,
    responses: {
      200: { description: 'A page of tasks, newest first by default.', schema: listResponse(taskListItem) },
    },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listTasks(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}',
    operationId: 'getTask',
    summary: 'Get a task',
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
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: changeTaskBody,
    readOnly: readOnly.filter((field) => field !== 'status'),
    isVersioned: true,
    responses: { 200: { description: 'The task as GET shows it.', schema: taskDetail } },
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
    tags,
    access: { scope: 'tasks:write' },
    params,
    isVersioned: true,
    responses: { 204: { description: 'The task is cancelled. Whoever worked on it has lost the lease.' } },
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
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: commentBody,
    readOnly: ['id', 'seq', 'type', 'timestamp', 'actor', 'author'],
    responses: { 201: { description: 'The entry of the timeline.', schema: timelineItem } },
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
    tags,
    access: { scope: 'tasks:write' },
    params,
    body: messageBody,
    readOnly: ['id', 'seq', 'type', 'timestamp', 'actor'],
    responses: { 201: { description: 'The entry of the timeline.', schema: timelineItem } },
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
    tags,
    access: { scope: 'tasks:write' },
    params,
    responses: { 200: { description: 'The task as GET shows it.', schema: taskDetail } },
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
      responses: { 200: { description: 'The task as GET shows it.', schema: taskDetail } },
      errors: ['invalid_input', 'not_found', 'conflict'],
      handler: async (ctx, { params: { task_id: taskId }, body }) => ({
        status: 200,
        ...(await decideByHand(ctx, { taskId, decision, ...body })),
      }),
    }),
  ),
];
