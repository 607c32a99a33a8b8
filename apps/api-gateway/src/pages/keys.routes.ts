import { giverOf, listApiKeys } from '@eas/access';
import { type KeyResource, pageOf, type Principal } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { mintKey } from '../operations/mint-key.ts';
import { submit, untouched } from './form.ts';
import { keyBodyOf, keyFields, keyForm } from './key-form.ts';
import { type Made, showOnce } from './made.routes.ts';
import { adminPage, listPageQuery, page, pagerOf, type PageParts, redirect, shownScopes, shownTime } from './page.ts';
import type { FormState } from './views.ts';

export const keysPath = '/admin/keys';
const newPath = `${keysPath}/new`;
const notices = { revoked: 'The key has been revoked. It stops working within two seconds.' } as const;
const columns = ['Name', 'Key', 'Scopes', 'Limit', 'Status', 'Created', 'Last used', 'Expires', 'Actions'];
const intro = ['Programs send a key in the header X-API-Key.'];

export function keyRoutes({ render, cookies, rateCeiling }: PageParts): Route[] {
  const formPage = (principal: Principal, form: FormState) =>
    render(
      'form',
      { title: 'Create an API key', principal, section: keysPath },
      { intro: [], action: newPath, fields: keyFields, form, submit: 'Create key', back: keysPath },
    );
  return [
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: keysPath,
      summary: 'The list of API keys',
      query: listPageQuery(['revoked']),
      responses: { 200: page('A page of the list.') },
      handler: async (ctx, { query: { after = '', done }, principal }) => {
        const keys = await listApiKeys(ctx, {}, pageOf({ after }));
        const head = { title: 'API keys', principal, section: keysPath, notice: done && notices[done] };
        const make = { path: newPath, label: 'Create key' };
        const view = { intro, make, columns, rows: keys.items.map(rowOf), ...pagerOf(keysPath, after, keys) };
        return { status: 200, body: render('list', head, view) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: newPath,
      summary: 'The form that makes an API key',
      responses: { 200: page('The form.') },
      handler: async (_ctx, { principal }) => ({
        status: 200,
        body: formPage(principal, untouched({ tier: 'standard' })),
      }),
    }),
    defineRoute({
      ...adminPage,
      method: 'POST',
      path: newPath,
      summary: 'Create an API key',
      form: keyForm,
      responses: {
        303: redirect,
        400: page('The form once more.'),
        403: page('The form again: a scope exceeds those of the user.'),
        409: page('The form once more.'),
      },
      handler: async (ctx, { body: values, principal }) => {
        const outcome = await submit({ values, fields: keyFields }, async () =>
          mintKey(ctx, { body: keyBodyOf(values), giver: giverOf(principal, rateCeiling) }),
        );
        if ('refused' in outcome)
          return { status: outcome.refused.status, body: formPage(principal, outcome.refused.form) };
        return showOnce(ctx, cookies, principal, shownKey('The key has been created.', outcome.done));
      },
    }),
  ];
}

/** The text of a key, which nobody can read later on. */
export const shownKey = (done: string, { name, key }: { name: string; key: string }): Made => ({
  title: name,
  section: keysPath,
  done,
  back: keysPath,
  secrets: [{ label: 'API key', secret: key }],
  advice: 'Copy the key now. It is not shown again.',
});

function rowOf(key: KeyResource) {
  const about = key.name;
  const limit = key.rate_limit === null ? key.tier : `${key.tier}, ${key.rate_limit} per minute`;
  const acts = [
    { path: `${keysPath}/${key.id}/rotate`, label: 'Rotate', about },
    { path: `${keysPath}/${key.id}/revoke`, label: 'Revoke', about },
  ];
  return {
    cells: [
      key.agent_id === null ? key.name : `${key.name} (${key.agent_id})`,
      `${key.prefix}…${key.last_four}`,
      shownScopes(key.scopes),
      limit,
      key.status,
      shownTime(key.created_at),
      shownTime(key.last_used_at, 'never'),
      shownTime(key.expires_at, 'never'),
    ],
    links: key.status === 'revoked' ? [] : acts,
  };
}
