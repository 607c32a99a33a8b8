import {
  idOutput,
  listBody,
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
const shown = { 200: { description: 'The run.', schema: runDetail } } as const;

const steering = { method: 'POST', tags, access: { scope: 'workflows:run' }, responses: shown } as const;
const steer = { ...steering, params, isVersioned: true, errors: ['invalid_request', 'not_found', 'conflict'] } as const;
const decide = {
  ...steering,
  params: z.object({ run_id: idOutput, step_id: idOutput }),
  body: reviewBody,
  isVersioned: true,
  errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
} as const;

const decisionTexts = {
  approve: {
    operationId: 'approveStep',
    summary: 'Approve a step',
    description: [
      'Approves the work of a step that waits for approval. The step is completed, and steps that need it can start.',
      'Send the `submission` of the task of the step that you were shown: work that was done again in the meantime is then not approved by mistake.',
    ],
  },
  reject: {
    operationId: 'rejectStep',
    summary: 'Reject a step',
    description: [
      'Rejects the work of a step that waits for approval. The step is done again while it has attempts left; otherwise it fails.',
      'Send the `submission` of the task of the step that you were shown: work that was done again in the meantime is then not rejected by mistake.',
    ],
  },
} as const;

export const runRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/workflows/{workflow_id}/start',
    operationId: 'startRun',
    summary: 'Start a run',
    description: [
      'Starts a run of a workflow. Use it for work that takes several steps and roles.',
      'The first step starts at once: it becomes a task for an agent of its role. The other steps follow when the steps that they need are completed or skipped. Read the run or subscribe to `workflow.*` to follow it.',
      'No run of an archived workflow can start: 409. Sends the events `workflow.started` and `task.created`.',
    ],
    tags,
    access: { scope: 'workflows:run' },
    params: z.object({ workflow_id: idOutput }),
    body: startRunBody,
    responses: {
      201: {
        description: 'The started run.',
        schema: runResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_request', 'invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { workflow_id: workflowId }, body }) => {
      const run = await startRun(ctx, { workflowId, body });
      return { status: 201, body: run, headers: { Location: `/v1/runs/${run.workflow_run_id}` } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/runs',
    operationId: 'listRuns',
    summary: 'List runs',
    description: ['Returns a page of workflow runs. Use it to find runs by workflow, status or time.'],
    tags,
    access: { scope: 'workflows:read' },
    query: runListQuery,
    responses: { 200: { description: 'A page of runs, newest first by default.', schema: runList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort = '-started_at', ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      const found = await listRuns(ctx, filter, page);
      return { status: 200, body: listBody(page, found) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/runs/{run_id}',
    operationId: 'getRun',
    summary: 'Get a run',
    description: [
      'Returns a run with all of its steps and its history. Use it to see how far a run is and what it is waiting for.',
      'The `ETag` of the response is the version of the run: send it as `If-Match` to act on exactly this state.',
    ],
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
    operationId: 'cancelRun',
    summary: 'Cancel a run',
    description: [
      'Cancels a run that has not finished. Use it when the work is no longer needed.',
      'Steps that are not finished are cancelled together with their tasks. Sends the event `workflow.cancelled`.',
    ],
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await cancelRun(ctx, { runId, ifMatch })),
    }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/pause',
    operationId: 'pauseRun',
    summary: 'Pause a run',
    description: ['Stops a run from starting further steps until it is resumed. Steps in progress continue.'],
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await pauseRun(ctx, { runId, ifMatch })),
    }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/resume',
    operationId: 'resumeRun',
    summary: 'Resume a run',
    description: ['Continues a paused run: every step that is ready starts.'],
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await resumeRun(ctx, { runId, ifMatch })),
    }),
  }),
  defineRoute({
    ...steer,
    path: '/v1/runs/{run_id}/retry',
    operationId: 'retryRun',
    summary: 'Retry a run',
    description: [
      'Continues a failed run from the steps that failed. Use it after you have removed the cause.',
      'Completed steps stay completed. Failed steps get new attempts.',
    ],
    handler: async (ctx, { params: { run_id: runId }, ifMatch }) => ({
      status: 200,
      ...(await retryRun(ctx, { runId, ifMatch })),
    }),
  }),
  ...(['approve', 'reject'] as const).map((decision) =>
    defineRoute({
      ...decide,
      path: `/v1/runs/{run_id}/steps/{step_id}/${decision}`,
      ...decisionTexts[decision],
      handler: async (ctx, { params: { run_id: runId, step_id: stepId }, body, ifMatch }) => ({
        status: 200,
        ...(await decideStep(ctx, { runId, stepId, ifMatch, decision, ...body })),
      }),
    }),
  ),
  defineRoute({
    method: 'GET',
    path: '/v1/runs/{run_id}/timeline',
    operationId: 'listRunTimeline',
    summary: 'List the timeline of a run',
    description: [
      'Returns a page of everything that happened to a run. Use it when a run has more entries than `getRun` shows.',
      'Entries are numbered without gaps. To poll, sort by `seq` and send the id of the last entry as `after`.',
    ],
    tags,
    access: { scope: 'workflows:read' },
    params,
    query: runTimelineQuery,
    responses: { 200: { description: 'A page of entries, newest first by default.', schema: runTimelineList } },
    errors: ['invalid_request', 'not_found'],
    handler: async (ctx, { params: { run_id: runId }, query: { limit, offset, after, sort = '-seq', ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listRunTimeline(ctx, runId, filter, page)) };
    },
  }),
];
