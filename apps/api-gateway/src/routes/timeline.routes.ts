import {
  artifactList,
  artifactListQuery,
  artifactWithContent,
  idOutput,
  listBody,
  pageOf,
  sessionPage,
  sessionQuery,
  timelineList,
  timelineQuery,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import { assertSeesTask, getArtifact, listArtifacts, listSession, listTimeline } from '@eas/tasks';
import { z } from 'zod';

export const timelineRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}/timeline',
    operationId: 'listTaskTimeline',
    summary: 'List the timeline of a task',
    description: [
      'Returns a page of everything that happened to a task: status changes, comments, progress, inputs, artifacts and more. Use it for a full history.',
      'Entries are numbered without gaps. To poll, sort by `seq` and send the id of the last entry as `after`.',
    ],
    tags: ['Tasks'],
    access: { scope: ['tasks:read', 'agent:self'] },
    params: z.object({ task_id: idOutput }),
    query: timelineQuery,
    responses: { 200: { description: 'A page of entries, newest first by default.', schema: timelineList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId }, query, principal: { scopes } }) => {
      await assertSeesTask(ctx, { taskId, scopes });
      const { limit, offset, after, sort = '-seq', ...filter } = query;
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listTimeline(ctx, taskId, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}/artifacts',
    operationId: 'listTaskArtifacts',
    summary: 'List the artifacts of a task',
    description: [
      'Returns a page of what agents attached to a task, with the data of each artifact. Use it when a task has more artifacts than `getTask` shows.',
    ],
    tags: ['Tasks'],
    access: { scope: ['tasks:read', 'agent:self'] },
    params: z.object({ task_id: idOutput }),
    query: artifactListQuery,
    responses: { 200: { description: 'A page of artifacts, newest first by default.', schema: artifactList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId }, query, principal: { scopes } }) => {
      await assertSeesTask(ctx, { taskId, scopes });
      const { limit, offset, after, sort, ...filter } = query;
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listArtifacts(ctx, { taskId, filter }, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}/artifacts/{artifact_id}',
    operationId: 'getTaskArtifact',
    summary: 'Get an artifact of a task',
    description: [
      'Returns an artifact with its content, such as the patch of a `diff`. Use it for what `listTaskArtifacts` leaves out.',
    ],
    tags: ['Tasks'],
    access: { scope: ['tasks:read', 'agent:self'] },
    params: z.object({ task_id: idOutput, artifact_id: idOutput }),
    responses: { 200: { description: 'The artifact.', schema: artifactWithContent } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId, artifact_id: artifactId }, principal: { scopes } }) => {
      await assertSeesTask(ctx, { taskId, scopes });
      return { status: 200, body: await getArtifact(ctx, { taskId, artifactId }) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tasks/{task_id}/session',
    operationId: 'listSessionEntries',
    summary: 'List the session of a task',
    description: [
      'Returns what agents said and did while they worked on a task: texts, tool calls, plans, usage. Use it to read a session, or to download it.',
      'Entries are numbered without gaps across all attempts. To poll, send the last number as `after`. Entries are kept for a limited time (`AGENT_SESSION_RETENTION_DAYS`).',
    ],
    tags: ['Tasks'],
    access: { scope: ['tasks:read', 'agent:self'] },
    params: z.object({ task_id: idOutput }),
    query: sessionQuery,
    responses: { 200: { description: 'A page of entries, oldest first.', schema: sessionPage } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId }, query, principal: { scopes } }) => {
      await assertSeesTask(ctx, { taskId, scopes });
      const { after = 0, limit = 200 } = query;
      return { status: 200, body: await listSession(ctx, { taskId, after, limit }) };
    },
  }),
];
