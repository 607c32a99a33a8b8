import {
  createTaskBody,
  idOutput,
  listAnswer,
  listQuery,
  listResponse,
  pageOf,
  taskDetail,
  taskListItem,
  taskResource,
  timestampInput,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { createTask, getTask, listTasks } from '@eas/tasks';
import { z } from 'zod';

const tags = ['Tasks'] as const;
const openFilter = z.string().max(500).optional();

export const taskRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/tasks',
    summary: 'Create a task',
    tags,
    access: { scope: 'tasks:write' },
    body: createTaskBody,
    readOnly: ['id', 'status', 'created_at', 'updated_at', 'progress', 'activity'],
    responses: {
      201: { description: 'The task.', schema: taskResource, headers: { Location: 'Where the task is read.' } },
    },
    errors: ['invalid_request', 'invalid_input'],
    handler: async (ctx, { body }) => {
      const task = await createTask(ctx, body);
      return { status: 201, body: task, headers: { Location: `/v1/tasks/${task.id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks',
    summary: 'List tasks',
    tags,
    access: { scope: 'tasks:read' },
    query: listQuery({
      sortable: ['created_at', 'id', 'title', 'status', 'priority', 'assigned_role', 'assigned_agent', 'due_date'],
      filters: {
        id: openFilter,
        status: openFilter,
        priority: openFilter,
        assigned_role: openFilter,
        assigned_agent: openFilter,
        title: openFilter,
        created_at: timestampInput,
        due_date: timestampInput,
      },
    }),
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
    summary: 'Read one task with its progress and activity',
    tags,
    access: { scope: 'tasks:read' },
    params: z.object({ task_id: idOutput }),
    responses: { 200: { description: 'The task.', schema: taskDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params }) => ({ status: 200, body: await getTask(ctx, params.task_id) }),
  }),
];
