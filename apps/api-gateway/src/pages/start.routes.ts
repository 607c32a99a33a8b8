import { getUser } from '@eas/access';
import { defineRoute, type Route } from '@eas/http';
import { adminPage, page, type PageParts } from './page.ts';
import { sections } from './sections.ts';

export const startRoutes = ({ render }: PageParts): Route[] => [
  defineRoute({
    ...adminPage,
    method: 'GET',
    path: '/admin',
    summary: 'The start page',
    responses: { 200: page('The start page.') },
    handler: async (ctx, { principal }) => {
      const { body: user } = await getUser(ctx, principal.actor.id);
      const head = { title: 'Administration', principal, section: '/admin' };
      const view = { user: `${user.name} (${user.email})`, cards: sections.filter(({ path }) => path !== '/admin') };
      return { status: 200, body: render('start', head, view) };
    },
  }),
];
