import {
  idOutput,
  listBody,
  pageOf,
  permissionResult,
  requestPermissionBody,
  taskPermissionList,
  taskPermissionListQuery,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { assertSeesTask, listTaskPermissions, requestPermission } from '@eas/tasks';
import { z } from 'zod';
import { takeBackPermission } from '../operations/change-policies.ts';
import { leaseRoute } from './leases.routes.ts';

const tags = ['Permissions'] as const;

export const permissionRoutes: Route[] = [
  leaseRoute('permissions', requestPermission, {
    operationId: 'requestPermission',
    summary: 'Request permission for a tool',
    description: [
      'Says whether the agent may use a tool, by the policies of the project and role of the task. Use it before anything that a person might want to decide about. Without a fitting rule it is allowed.',
      'If a policy says ask, and no person has allowed the same for the rest of the task (same tool kind; same command, or same title where there is none), a blocking input of the kind `permission` is created, and `decision` is `ask`. After the answer, request it again with the same `call_id` to get the decision. An answer that allows or rejects it once is for one call; it also reaches an agent that comes back later and requests the same again.',
    ],
    body: requestPermissionBody,
    responses: { 200: { description: 'The decision, and the state of the lease.', schema: permissionResult } },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}/permissions',
    operationId: 'listTaskPermissions',
    summary: 'List the permissions of a task',
    description: ['Returns a page of what people allowed the agents of a task for the rest of it (`allow_always`).'],
    tags,
    access: { scope: ['tasks:read', 'agent:self'] },
    params: z.object({ task_id: idOutput }),
    query: taskPermissionListQuery,
    responses: { 200: { description: 'A page of permissions, newest first by default.', schema: taskPermissionList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId }, query, principal: { scopes } }) => {
      await assertSeesTask(ctx, { taskId, scopes });
      const { limit, offset, after, sort, ...filter } = query;
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listTaskPermissions(ctx, { taskId, filter }, page)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tasks/{task_id}/permissions/{permission_id}',
    operationId: 'deleteTaskPermission',
    summary: 'Take back a permission of a task',
    description: [
      'Takes back what a person allowed for the rest of a task. Its agents ask again. It is in the audit log.',
    ],
    tags,
    access: { scope: 'tasks:write' },
    params: z.object({ task_id: idOutput, permission_id: idOutput }),
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { task_id: taskId, permission_id: permissionId } }) => {
      await takeBackPermission(ctx, { taskId, permissionId });
      return { status: 204 };
    },
  }),
];
