import { deleteUser, getUser, makePasswordLink } from '@eas/access';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { askFirst } from './ask-first.ts';
import { untouched } from './form.ts';
import { showOnce } from './made.routes.ts';
import { adminPage, page, type PageParts, redirect } from './page.ts';
import { shownLink, usersPath } from './users.routes.ts';

const params = z.object({ id: z.string().max(128) });

export function userActRoutes({ render, cookies, baseUrl }: PageParts): Route[] {
  return [
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: `${usersPath}/{id}/link`,
      summary: 'The question whether to make a new one-time link',
      params,
      responses: { 200: page('The question.') },
      handler: async (ctx, { params: { id }, principal }) => {
        const { body: user } = await getUser(ctx, id);
        const text = `Anyone who opens the link can set the password of ${user.email}. Earlier links stop working.`;
        const view = { intro: [text], action: `${usersPath}/${user.id}/link`, fields: [], form: untouched() };
        const head = { title: `A new link for ${user.name}`, principal, section: usersPath };
        return { status: 200, body: render('form', head, { ...view, submit: 'Create link', back: usersPath }) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'POST',
      path: `${usersPath}/{id}/link`,
      summary: 'Make a new one-time link',
      params,
      form: z.object({}),
      responses: { 303: redirect },
      handler: async (ctx, { params: { id }, principal }) => {
        const { body: user } = await getUser(ctx, id);
        const token = await makePasswordLink(ctx, { id, scopes: principal.scopes });
        return showOnce(ctx, cookies, principal, shownLink(baseUrl, user, token));
      },
    }),
    ...askFirst(render, {
      section: usersPath,
      verb: 'remove',
      summary: 'Remove a user',
      ask: async (ctx, id) => {
        const { body: user } = await getUser(ctx, id);
        const text = `${user.email} is signed out everywhere and cannot sign in any more. This cannot be undone.`;
        return { title: `Remove ${user.name}?`, intro: [text] };
      },
      submit: 'Remove user',
      act: (ctx, id, { scopes }) => deleteUser(ctx, { id, ifMatch: undefined, scopes }),
      done: 'removed',
    }),
  ];
}
