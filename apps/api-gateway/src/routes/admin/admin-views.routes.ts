import { deleteView, listViews, saveView } from '@eas/access';
import { idOutput, saveViewBody, scopes, viewList, viewResource } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';

const tags = ['Administration'] as const;
const path = '/admin/api/views';
/** Any authenticated caller has saved views. */
const access = { scope: scopes };

export const adminViewRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'listViews',
    summary: 'List saved views',
    description: ['Returns what the caller saved: filters of the list of tasks, and templates of tasks.'],
    tags,
    access,
    responses: { 200: { description: 'All views of the caller.', schema: viewList } },
    errors: [],
    handler: async (ctx) => ({ status: 200, body: { data: await listViews(ctx) } }),
  }),
  defineRoute({
    method: 'POST',
    path,
    operationId: 'saveView',
    summary: 'Save a view',
    description: [
      'Saves something under a name for the caller alone. What has this kind and name already is replaced.',
      'A caller can have 200 views.',
    ],
    tags,
    access,
    body: saveViewBody,
    responses: {
      201: { description: 'The view.', schema: viewResource, headers: { Location: 'Path of the created resource.' } },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body }) => {
      const view = await saveView(ctx, body);
      return { status: 201, body: view, headers: { Location: `${path}/${view.id}` } };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/{view_id}`,
    operationId: 'deleteView',
    summary: 'Delete a saved view',
    description: ['Deletes a view of the caller.'],
    tags,
    access,
    params: z.object({ view_id: idOutput }),
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { view_id: id } }) => {
      await deleteView(ctx, id);
      return { status: 204 };
    },
  }),
];
