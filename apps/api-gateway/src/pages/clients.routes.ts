import { createClient, deleteClient, getClient, giverOf, listClients } from '@eas/access';
import { type ClientResource, pageOf, type Principal, type ShownClient } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { askFirst } from './ask-first.ts';
import { clientBodyOf, clientFields, clientForm } from './client-form.ts';
import { submit, untouched } from './form.ts';
import { type Made, showOnce } from './made.routes.ts';
import { adminPage, listPageQuery, page, pagerOf, type PageParts, redirect, shownScopes, shownTime } from './page.ts';
import type { FormState } from './views.ts';

const path = '/admin/clients';
const newPath = `${path}/new`;
const notices = { removed: 'The client has been removed. Its tokens stop working within two seconds.' } as const;
const columns = ['Name', 'Client id', 'Redirect addresses', 'Scopes', 'Kind', 'Created', 'Actions'];
const intro = ['Applications that ask people for access (OAuth 2.0, authorization code).'];

export function clientRoutes({ render, cookies, rateCeiling }: PageParts): Route[] {
  const formPage = (principal: Principal, state: FormState) =>
    render(
      'form',
      { title: 'Create an OAuth client', principal, section: path },
      { intro: [], action: newPath, fields: clientFields, form: state, submit: 'Create client', back: path },
    );
  return [
    defineRoute({
      ...adminPage,
      method: 'GET',
      path,
      summary: 'The list of OAuth clients',
      query: listPageQuery(['removed']),
      responses: { 200: page('A page of the list.') },
      handler: async (ctx, { query: { after = '', done }, principal }) => {
        const clients = await listClients(ctx, {}, pageOf({ after }));
        const head = { title: 'OAuth clients', principal, section: path, notice: done && notices[done] };
        const make = { path: newPath, label: 'Create client' };
        const view = { intro, make, columns, rows: clients.items.map(rowOf), ...pagerOf(path, after, clients) };
        return { status: 200, body: render('list', head, view) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: newPath,
      summary: 'The form that makes an OAuth client',
      responses: { 200: page('The form.') },
      handler: async (_ctx, { principal }) => {
        const form = untouched({ kind: 'confidential', tier: 'standard' });
        return { status: 200, body: formPage(principal, form) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'POST',
      path: newPath,
      summary: 'Create an OAuth client',
      form: clientForm,
      responses: {
        303: redirect,
        400: page('The form once more.'),
        403: page('The form again: a scope exceeds those of the user.'),
        409: page('The form once more.'),
      },
      handler: async (ctx, { body: values, principal }) => {
        const outcome = await submit({ values, fields: clientFields }, async () =>
          createClient(ctx, { body: clientBodyOf(values), giver: giverOf(principal, rateCeiling) }),
        );
        if ('refused' in outcome)
          return { status: outcome.refused.status, body: formPage(principal, outcome.refused.form) };
        return showOnce(ctx, cookies, principal, shownClient(outcome.done.body));
      },
    }),
    ...askFirst(render, {
      section: path,
      verb: 'remove',
      summary: 'Remove an OAuth client',
      ask: async (ctx, id) => {
        const { body: client } = await getClient(ctx, id);
        const text =
          'People can no longer sign in through this client, and its tokens are refused. This cannot be undone.';
        return { title: `Remove ${client.name}?`, intro: [text, `Client id: ${client.id}`] };
      },
      submit: 'Remove client',
      act: (ctx, id) => deleteClient(ctx, { id, ifMatch: undefined }),
      done: 'removed',
    }),
  ];
}

const shownClient = ({ id, name, client_secret: secret }: ShownClient): Made => ({
  title: name,
  section: path,
  done: 'The client has been created.',
  back: path,
  secrets: [{ label: 'Client id', secret: id }, ...(secret ? [{ label: 'Client secret', secret }] : [])],
  advice: secret ? 'Copy the secret now. It is not shown again.' : 'This client has no secret and must use PKCE.',
});

function rowOf(client: ClientResource) {
  return {
    cells: [
      client.name,
      client.id,
      client.redirect_uris.join(', '),
      shownScopes(client.scopes),
      client.is_public ? 'public' : 'has a secret',
      shownTime(client.created_at),
    ],
    links: [{ path: `${path}/${encodeURIComponent(client.id)}/remove`, label: 'Remove', about: client.name }],
  };
}
