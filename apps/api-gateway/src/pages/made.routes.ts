import { type Cookies, readCookie, requireSession } from '@eas/access';
import type { Principal } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { adminPage, page, type PageParts } from './page.ts';
import type { MadeView } from './views.ts';

export type Made = MadeView & { title: string; section: string };

const path = '/admin/made';
/** Time to get from the form to the page. */
const keptMs = 5 * 60_000;

/** A reload makes nothing: what is shown travels in a cookie that only this session can open, removed once shown. */
export function showOnce({ secrets, clock }: UseCaseContext, cookies: Cookies, principal: Principal, made: Made) {
  const sealed = secrets.seal(JSON.stringify(made), cellOf(principal));
  const expiresAt = new Date(clock.now().getTime() + keptMs);
  const headers = { Location: path, 'Set-Cookie': cookies.made.issue(sealed, expiresAt) };
  return { status: 303 as const, headers };
}

export const madeRoutes = ({ render, cookies }: PageParts): Route[] => [
  defineRoute({
    ...adminPage,
    method: 'GET',
    path,
    summary: 'What was just made, shown once',
    query: z.object({}),
    responses: { 200: page('The key, secret or link; when it is loaded again, that it is not shown any more.') },
    handler: async (ctx, { headers, principal }) => {
      const made = openMade(ctx, principal, readCookie(headers['cookie'], cookies.made.name));
      if (!made) {
        const texts = ['A secret is shown only once. If it is lost, create a new one.'];
        const links = [{ path: '/admin', label: 'Start' }];
        return { status: 200, body: render('message', { title: 'Not shown again', principal }, { texts, links }) };
      }
      const { title, section, ...view } = made;
      const body = render('made', { title, principal, section }, view);
      return { status: 200, body, headers: { 'Set-Cookie': cookies.made.clear() } };
    },
  }),
];

function openMade({ secrets }: UseCaseContext, principal: Principal, sealed: string | undefined): Made | undefined {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(secrets.open(sealed, cellOf(principal))) as Made;
  } catch {
    return undefined;
  }
}

function cellOf(principal: Principal) {
  const { sessionId } = requireSession(principal);
  return { tenantId: principal.tenantId, table: 'sessions', column: 'made', rowId: sessionId };
}
