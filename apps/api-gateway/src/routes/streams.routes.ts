import { idOutput, streamQuery, timelineStreamQuery } from '@eas/contracts';
import type { History, UseCaseContext } from '@eas/db';
import { defineRoute, type Route } from '@eas/http';
import { assertSeesTask, followSession, followTimeline } from '@eas/tasks';
import { followEvents } from '@eas/webhooks';
import { followRun } from '@eas/workflows';
import { z } from 'zod';

const ofHistory =
  'The stream begins with the first entry, with the next one (`from=now`), or after `Last-Event-ID`, and continues with new entries as they come. If the connection ends, reconnect with the last id: no entry is lost or repeated.';

type TaskStream = {
  path: `/v1/tasks/{task_id}/${string}`;
  operationId: string;
  summary: string;
  /** What it streams, and what for. */
  about: string;
  /** Of the 200. */
  entries: string;
  follow: (ctx: UseCaseContext, taskId: string) => Promise<History>;
};

const taskStream = ({ about, entries, follow, ...definition }: TaskStream): Route =>
  defineRoute({
    ...definition,
    method: 'GET',
    description: [about, ofHistory],
    tags: ['Tasks'],
    access: { scope: ['tasks:read', 'agent:self'] },
    params: z.object({ task_id: idOutput }),
    query: timelineStreamQuery,
    responses: { 200: { description: entries, stream: true } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { task_id: taskId }, query: { from = 'beginning' }, principal: { scopes } }) => {
      const recheck = () => assertSeesTask(ctx, { taskId, scopes });
      await recheck();
      return { status: 200, stream: { history: await follow(ctx, taskId), from, recheck } };
    },
  });

export const streamRoutes = [
  taskStream({
    path: '/v1/tasks/{task_id}/events',
    operationId: 'followTask',
    summary: 'Follow a task',
    about: 'Streams the timeline of a task as server-sent events. Use it to watch a task without polling.',
    entries: 'Entries of the timeline as they come.',
    follow: followTimeline,
  }),
  taskStream({
    path: '/v1/tasks/{task_id}/session/events',
    operationId: 'followSession',
    summary: 'Follow the session of a task',
    about:
      'Streams what agents say and do while they work on a task as server-sent events. Use it to watch an agent work.',
    entries: 'Entries of the session as they come.',
    follow: followSession,
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/runs/{run_id}/events',
    operationId: 'followRun',
    summary: 'Follow a run',
    description: [
      'Streams the timeline of a run as server-sent events. Use it to watch a run without polling.',
      ofHistory,
    ],
    tags: ['Runs'],
    access: { scope: 'workflows:read' },
    params: z.object({ run_id: idOutput }),
    query: timelineStreamQuery,
    responses: { 200: { description: 'Entries of the timeline as they come.', stream: true } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { run_id: runId }, query: { from = 'beginning' } }) => ({
      status: 200,
      stream: { history: await followRun(ctx, runId), from },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/events/stream',
    operationId: 'followEvents',
    summary: 'Follow events',
    description: [
      'Streams events as server-sent events. Use it where you cannot receive webhooks. You get only events of families that your scopes let you read.',
      'The stream begins now, or after `Last-Event-ID`. If the connection ends, reconnect with the last id: no event is lost or repeated.',
    ],
    tags: ['Events'],
    access: { scope: 'events:read' },
    query: streamQuery,
    responses: { 200: { description: 'Events as they come.', stream: true } },
    errors: ['invalid_request'],
    handler: async (ctx, { principal }) => ({
      status: 200,
      stream: { ...(await followEvents(ctx, principal.scopes)), from: 'now' },
    }),
  }),
];
