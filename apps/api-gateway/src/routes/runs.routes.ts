import {
  idOutput,
  listAnswer,
  pageOf,
  reviewBody,
  runDetail,
  runList,
  runListQuery,
  runResource,
  runTimelineList,
  runTimelineQuery,
  startRunBody,
} from '@eas/contracts';
import { defineRoute } from '@eas/http';
import {
  cancelRun,
  decideStep,
  getRun,
  listRuns,
  listRunTimeline,
  pauseRun,
  resumeRun,
  retryRun,
  startRun,
} from '@eas/workflows';
import { z } from 'zod';

const tags = ['Runs'] as const;
const params = z.object({ run_id: idOutput });
const shown = { 200: { description: 'The run as GET shows it.', schema: runDetail } } as const;

/** What every call that steers a run has in common. */
const steering = { method: 'POST', tags, access: { scope: 'workflows:run' }, responses: shown } as const;
const steer = { ...steering, params, isVersioned: true, errors: ['invalid_request', 'not_found', 'conflict'] } as const;
const decide = {
  ...steering,
  params: z.object({ run_id: idOutput, step_id: idOutput }),
  body: reviewBody,
  isVersioned: true,
  errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
} as const;

export const runRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/workflows/{workflow_id}/start',
    summary: 'Start a run of a workflow',
    tags,
    access: { scope: 'workflows:run' },
    params: z.object({ workflow_id: idOutput }),
    body: startRunBody,
    responses: {
      201: {
        description: 'The run: its first step is in progress, all others wait.',
        schema: runResource,
        headers: { Location: 'Where the run is read.' },
      },
    },
    errors: ['invalid_request', 'invalid_input', 'not_found'],
    handler: async (ctx, { params: { workflow_id: workflowId }, body }) => {
      const run = await startRun(ctx, { workflowId, body });
      return { status: 201, body: run, headers: { Location: `/v1/runs/${run.workflow_run_id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/runs',
    summary: 'List runs of workflows',
    tags,
    access: { scope: 'workflows:read' },
    query: runListQuery,
    responses: { 200: { description: 'A page of runs, newest first by default.', schema: runList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort = '-started_at', ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      const found = await listRuns(ctx, filter, page);
      return { status: 200, body: listAnswer(page, found) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/runs/{run_id}',
    summary: 'Read one run with its steps and history',
    tags,
    access: { scope: 'workflows:read' },
    params,
    isVersioned: true,
    responses: { 200: { description: 'The run.', schema: runDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params: { run_id: runId } }) => ({ status: 200, ...(await getRun(ctx, runId)) }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/cancel',
    summary: 'Cancel a run: its open steps are cancelled with their tasks',
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await cancelRun(ctx, { runId, ifMatch })),
    }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/pause',
    summary: 'Let a run start no further step until it is resumed; steps in progress go on',
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await pauseRun(ctx, { runId, ifMatch })),
    }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/resume',
    summary: 'Let a paused run go on: every step that is ready starts',
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await resumeRun(ctx, { runId, ifMatch })),
    }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/retry',
    summary: 'Let a failed run go on from the steps that failed; what is done stays done',
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await retryRun(ctx, { runId, ifMatch })),
    }),
  }),
  ...(['approve', 'reject'] as const).map((decision) =>
    defineRoute({
      ...decide,
      path: `/v1/runs/{run_id}/steps/{step_id}/${decision}`,
      summary:
        decision === 'approve'
          ? 'Approve the work of a step that waits for it: the step is completed'
          : 'Reject the work of a step that waits for approval: it is done again while attempts remain',
      handler: async (ctx, { params: { run_id: runId, step_id: stepId }, body, ifMatch }) => ({
        status: 200,
        ...(await decideStep(ctx, { runId, stepId, ifMatch, decision, ...body })),
      }),
    }),
  ),
  defineRoute({
    method: 'GET',
    path: '/v1/runs/{run_id}/timeline',
    summary: 'List what happened to a run',
    tags,
    access: { scope: 'workflows:read' },
    params,
    query: runTimelineQuery,
    responses: { 200: { description: 'A page of entries, newest first by default.', schema: runTimelineList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { run_id: runId }, query: { limit, offset, after, sort = '-seq', ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listAnswer(page, await listRunTimeline(ctx, runId, filter, page)) };
    },
  }),
];
