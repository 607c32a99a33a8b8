import {
  changeWorkflowBody,
  createWorkflowBody,
  idOutput,
  workflowDetail,
  workflowList,
  workflowListQuery,
} from '@eas/contracts';
import { defineRoute, pageHeaders, pageHeaderTexts } from '@eas/http';
import {
  archiveWorkflow,
  changeWorkflow,
  createWorkflow,
  getWorkflow,
  listWorkflows,
  readNewWorkflow,
  unarchiveWorkflow,
  validateWorkflow,
} from '@eas/workflows';
import { z } from 'zod';

const tags = ['Workflows'] as const;
const params = z.object({ workflow_id: idOutput });
const readOnly = ['id', 'version', 'created_at', 'updated_at', 'archived_at', 'definition'] as const;
const archiving = {
  method: 'POST',
  tags,
  access: { scope: 'workflows:write' },
  params,
  errors: ['not_found'],
} as const;
const archived = { 200: { description: 'The workflow.', schema: workflowDetail } };

export const workflowRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/workflows',
    operationId: 'createWorkflow',
    summary: 'Create a workflow',
    description: [
      'Defines a workflow: steps with roles, dependencies, conditions and task templates. Use it when the built-in workflows do not fit.',
      'The definition is checked as a whole; violations are listed with their paths. You can start runs of the workflow at once.',
    ],
    tags,
    access: { scope: 'workflows:write' },
    body: createWorkflowBody,
    readOnly,
    responses: {
      201: {
        description: 'The created workflow.',
        schema: workflowDetail,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input'],
    prepare: async (ctx, { body }) => void (await readNewWorkflow(ctx, body)),
    handler: async (ctx, { body: definition }) => {
      const { body, version } = await createWorkflow(ctx, definition);
      return { status: 201, body, version, headers: { Location: `/v1/workflows/${body.id}` } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/workflows/validate',
    operationId: 'validateWorkflow',
    summary: 'Check a workflow definition',
    description: [
      'Checks a definition as `createWorkflow` does, and stores nothing. Use it while somebody writes a definition.',
      'Violations are listed with their paths, as the errors of `createWorkflow` are.',
    ],
    tags,
    access: { scope: 'workflows:write' },
    body: createWorkflowBody,
    readOnly,
    responses: { 204: { description: 'The definition is valid. The response has no body.' } },
    errors: ['invalid_input'],
    prepare: async (ctx, { body }) => void (await readNewWorkflow(ctx, body)),
    handler: async (ctx, { body }) => {
      await validateWorkflow(ctx, body);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/workflows',
    operationId: 'listWorkflows',
    summary: 'List workflows',
    description: [
      'Returns a page of workflows that you can start. Archived ones are left out unless you ask for them with `is_archived`.',
      'The header `X-Total-Count` is their number, and `Link` the address of the next page.',
    ],
    tags,
    access: { scope: 'workflows:read' },
    query: workflowListQuery,
    responses: {
      200: {
        description: 'A page of workflows, newest first by default.',
        schema: workflowList,
        headers: pageHeaderTexts,
      },
    },
    errors: ['invalid_request'],
    handler: async (ctx, { query }) => {
      const found = await listWorkflows(ctx, query);
      return { status: 200, body: { data: found.items }, headers: pageHeaders('/v1/workflows', query, found) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/workflows/{workflow_id}',
    operationId: 'getWorkflow',
    summary: 'Get a workflow',
    description: [
      'Returns a workflow with its definition. Use it to see which steps and parameters it has.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    tags,
    access: { scope: 'workflows:read' },
    params,
    isVersioned: true,
    responses: { 200: { description: 'The workflow.', schema: workflowDetail } },
    errors: ['not_found'],
    handler: async (ctx, { params }) => ({ status: 200, ...(await getWorkflow(ctx, params.workflow_id)) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/workflows/{workflow_id}',
    operationId: 'changeWorkflow',
    summary: 'Change a workflow',
    description: [
      'Changes a workflow with a JSON merge patch. `steps` are replaced as a whole.',
      'The workflow gets a new version. Runs keep the version that they started with.',
    ],
    tags,
    access: { scope: 'workflows:write' },
    params,
    body: changeWorkflowBody,
    readOnly,
    isVersioned: true,
    responses: { 200: { description: 'The workflow.', schema: workflowDetail } },
    errors: ['invalid_input', 'not_found'],
    handler: async (ctx, { params: { workflow_id: workflowId }, body, ifMatch }) => ({
      status: 200,
      ...(await changeWorkflow(ctx, { workflowId, ifMatch, body })),
    }),
  }),
  defineRoute({
    ...archiving,
    path: '/v1/workflows/{workflow_id}/archive',
    operationId: 'archiveWorkflow',
    summary: 'Archive a workflow',
    description: [
      'Archives a workflow that is no longer used: no run of it can start (409), and lists leave it out. Runs that have started go on.',
      'The workflow stays readable and keeps its version. `unarchiveWorkflow` takes this back.',
    ],
    responses: archived,
    handler: async (ctx, { params }) => ({ status: 200, ...(await archiveWorkflow(ctx, params.workflow_id)) }),
  }),
  defineRoute({
    ...archiving,
    path: '/v1/workflows/{workflow_id}/unarchive',
    operationId: 'unarchiveWorkflow',
    summary: 'Unarchive a workflow',
    description: ['Lets runs of an archived workflow start again. Lists show it again.'],
    responses: archived,
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params }) => ({ status: 200, ...(await unarchiveWorkflow(ctx, params.workflow_id)) }),
  }),
];
