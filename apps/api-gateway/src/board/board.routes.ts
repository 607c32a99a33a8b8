import { recordAudit, requireOperator } from '@eas/access';
import type { Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import { defineRoute, type Mount, type Route, serveFolder } from '@eas/http';
import type { QueuesOnUse } from '@eas/queue';
import { boardAdditions, boardAssets, type BoardRoute, createQueueBoard, renderBoardPage } from '@eas/queue/board';
import { z } from 'zod';

const root = '/admin/queues';
const text = z.string().max(200);
const tags = ['Pages'] as const;
/** Methods that the page uses; the board checks the rights for each. */
const queryNames = ['activeQueue', 'status', 'page', 'jobsPerPage', 'queueName', 'root', 'depth', 'maxChildren'];
const query = z.looseObject(Object.fromEntries(queryNames.map((name) => [name, text.optional()])));
const readers = ['admin', 'events:read'] as const;

/** The one style element that the page inserts: it hides the scrollbars of scroll areas. */
const scrollbarStyle = "'sha256-r2N1TB/gHbBtBZFKg7ejmq1acVSREzucTAEw6ga4hoU='";

/** The dashboard's policy, except the base address, that style, and Trusted Types, which the page does not support. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${scrollbarStyle}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** One of the scripts is a worker, whose policy comes with its own response. */
const workerPolicy = "default-src 'none'; script-src 'self'";

export type BoardParts = { queues: QueuesOnUse; /** What clients call, without a final slash. */ baseUrl: string };

/** Bull Board at /admin/queues, for operators: the scope `admin` changes, `events:read` reads. */
export function createBoard({ queues, baseUrl }: BoardParts): { routes: Route[]; mounts: Mount[] } {
  const { pathname, protocol } = new URL(baseUrl);
  const path = `${pathname.replace(/\/$/, '')}${root}`;
  const board = createQueueBoard(`${pathname.replace(/\/$/, '')}/admin/`);
  const page = renderBoardPage({ title: 'Queues', path: `${path}/`, uiConfig: board.uiConfig });
  const cookieOf = ({ csrfToken = '' }: Principal) =>
    `XSRF-TOKEN=${csrfToken}; Path=${path}; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`;
  const pages = ['', '/job-schedulers', '/queue/{queue_name}', '/queue/{queue_name}/{job_id}'];
  return {
    routes: [
      ...pages.map((below) => pageRoute(root + below, page, cookieOf)),
      ...board.routes.map((route) => boardRoute(route, queues)),
    ],
    mounts: [
      serveFolder({ path: `${root}/static`, folder: boardAssets, contentSecurityPolicy: workerPolicy }),
      serveFolder({ path: `${root}/page`, folder: boardAdditions, contentSecurityPolicy: workerPolicy }),
    ],
  };
}

const pageRoute = (path: string, body: string, cookieOf: (principal: Principal) => string): Route =>
  defineRoute({
    method: 'GET',
    path,
    summary: 'The queues',
    tags,
    access: { session: readers },
    params: textsOf([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
    query: z.looseObject({}),
    responses: { 200: { description: 'The page.', html: true } },
    errors: [],
    handler: async (_ctx, { principal }) => {
      requireOperator(principal);
      const headers = { 'Content-Security-Policy': contentSecurityPolicy, 'Set-Cookie': cookieOf(principal) };
      return { status: 200, body, headers };
    },
  });

function boardRoute({ method, path, params: names, act, respond }: BoardRoute, queues: QueuesOnUse): Route {
  const response = { description: 'What the page shows.', schema: z.unknown() };
  return defineRoute({
    method,
    path: root + path,
    summary: 'The queues',
    tags,
    access: { scope: method === 'GET' ? readers : 'admin' },
    isDocumented: false,
    isIdempotent: false,
    params: textsOf(names),
    query,
    responses: {
      200: response,
      204: { description: 'Done.' },
      400: response,
      403: response,
      404: response,
      405: response,
      500: response,
    },
    errors: [],
    handler: async (ctx, { principal, params, query }) => {
      requireOperator(principal);
      if (principal.kind !== 'session') throw new AppError('forbidden', { message: 'Sign in to use the queues.' });
      const call = { queues: await queues.open(), mayChange: principal.scopes.includes('admin'), params, query };
      if (act)
        await ctx.inTransaction((tx) =>
          recordAudit(tx, ctx.actor, { action: 'queue.changed', target: null, data: { act, ...params } }),
        );
      const { status, body } = await respond(call);
      if (status === 204) return { status };
      return { status: status as 200, body };
    },
  });
}

const textsOf = (names: readonly string[]) => z.object(Object.fromEntries(names.map((name) => [name, text])));
