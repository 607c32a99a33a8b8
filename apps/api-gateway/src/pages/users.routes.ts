import { createUser, linkPath, listUsers } from '@eas/access';
import { createUserBody, pageOf, type Principal, type UserResource } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { readAs, submit, untouched } from './form.ts';
import { scopesField } from './key-form.ts';
import { type Made, showOnce } from './made.routes.ts';
import {
  adminPage,
  listPageQuery,
  page,
  pagerOf,
  type PageParts,
  redirect,
  shownScopes,
  shownTime,
  typed,
} from './page.ts';
import type { Field, FormState } from './views.ts';

export const usersPath = '/admin/users';
const newPath = `${usersPath}/new`;
const notices = { removed: 'The user has been removed and signed out everywhere.' } as const;
const columns = ['Name', 'E-mail', 'Scopes', 'Status', 'Created', 'Last signed in', 'Actions'];
const intro = ['Only users with the scope admin can open these pages. Other users can sign in to applications.'];

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'email', label: 'E-mail', hint: 'Used to sign in.', type: 'email' },
  { ...scopesField, hint: 'You can grant only scopes that you have.' },
];
const form = z.object({
  name: typed().default(''),
  email: typed().default(''),
  scopes: z.array(typed(64)).max(100).default([]),
});
const read = readAs(createUserBody.omit({ password: true }));

export function userRoutes({ render, cookies, baseUrl }: PageParts): Route[] {
  const formPage = (principal: Principal, state: FormState) =>
    render(
      'form',
      { title: 'Invite a user', principal, section: usersPath },
      { intro: [], action: newPath, fields, form: state, submit: 'Invite user', back: usersPath },
    );
  return [
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: usersPath,
      summary: 'The list of users',
      query: listPageQuery(['removed']),
      responses: { 200: page('A page of the list.') },
      handler: async (ctx, { query: { after = '', done }, principal }) => {
        const users = await listUsers(ctx, {}, pageOf({ after }));
        const head = { title: 'Users', principal, section: usersPath, notice: done && notices[done] };
        const make = { path: newPath, label: 'Invite a user' };
        const view = { intro, make, columns, rows: users.items.map(rowOf), ...pagerOf(usersPath, after, users) };
        return { status: 200, body: render('list', head, view) };
      },
    }),
    defineRoute({
      ...adminPage,
      method: 'GET',
      path: newPath,
      summary: 'The form that makes a user',
      responses: { 200: page('The form.') },
      handler: async (_ctx, { principal }) => ({ status: 200, body: formPage(principal, untouched()) }),
    }),
    defineRoute({
      ...adminPage,
      method: 'POST',
      path: newPath,
      summary: 'Make a user',
      form,
      responses: {
        303: redirect,
        400: page('The form once more.'),
        403: page('The form again: a scope exceeds those of the user.'),
        409: page('The form once more: the e-mail address is taken.'),
      },
      handler: async (ctx, { body: values, principal }) => {
        const outcome = await submit({ values, fields }, async () =>
          createUser(ctx, { body: read(values), scopes: principal.scopes }),
        );
        if ('refused' in outcome)
          return { status: outcome.refused.status, body: formPage(principal, outcome.refused.form) };
        const { user, linkToken = '' } = outcome.done;
        return showOnce(ctx, cookies, principal, shownLink(baseUrl, user, linkToken));
      },
    }),
  ];
}

/** A one-time link, which nobody can read later on. */
export const shownLink = (baseUrl: string, { name }: UserResource, token: string): Made => ({
  title: name,
  section: usersPath,
  done: 'The link has been created.',
  back: usersPath,
  secrets: [{ label: 'One-time link', secret: baseUrl + linkPath(token) }],
  advice:
    'Send the link to the user now. It is not shown again. It can be used once, within 24 hours, to set a password.',
});

function rowOf(user: UserResource) {
  const about = user.name;
  return {
    cells: [
      user.name,
      user.email,
      shownScopes(user.scopes),
      user.status,
      shownTime(user.created_at),
      shownTime(user.last_signed_in_at, 'never'),
    ],
    links: [
      { path: `${usersPath}/${user.id}/link`, label: 'New link', about },
      { path: `${usersPath}/${user.id}/remove`, label: 'Remove', about },
    ],
  };
}
