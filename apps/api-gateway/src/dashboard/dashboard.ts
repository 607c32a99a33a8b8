import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Principal } from '@eas/contracts';
import { defineRoute, type Mount, type Route, serveFolder } from '@eas/http';
import { z } from 'zod';

/** What apps/admin-dashboard is built into. */
const builtFolder = resolve(import.meta.dirname, '../../../admin-dashboard/dist');

/** Only scripts and styles of this service: nothing inline, nothing evaluated, nothing from other sites. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

export type Dashboard = { mounts: Mount[]; routes: Route[]; isBuilt: boolean };

type RenderMissing = (principal: Principal) => string;

type Built = { page: string; sections: readonly string[] };

export type DashboardOptions = { baseUrl: string; renderMissing: RenderMissing; folder?: string };

/** The dashboard as it was built; without a build its start page says how to build it, with status 503. */
export function createDashboard({ baseUrl, renderMissing, folder = builtFolder }: DashboardOptions): Dashboard {
  const built = readBuilt(folder, new URL(baseUrl).pathname.replace(/\/$/, ''));
  if (!built) return { mounts: [], routes: [missingRoute(renderMissing)], isBuilt: false };
  const paths = ['/admin', ...built.sections.flatMap(pathsBelow)];
  const files = serveFolder({ path: '/admin/app', folder: join(folder, 'app'), isHashed: true });
  return { mounts: [files], routes: paths.map((path) => pageRoute(path, built.page)), isBuilt: true };
}

function readBuilt(folder: string, basePath: string): Built | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const page = readFileSync(index, 'utf8').replaceAll('"./app/', `"${basePath}/admin/app/`);
  const sections = z
    .array(z.string().regex(/^[a-z-]+$/))
    .parse(JSON.parse(readFileSync(join(folder, 'sections.json'), 'utf8')));
  return { page: page.replaceAll('{{base}}', basePath), sections };
}

/** A section has lists, single resources and parts of these; the dashboard itself knows the exact paths. */
const pathsBelow = (section: string): string[] =>
  ['', '/{id}', '/{id}/{part}', '/{id}/{part}/{item}'].map((rest) => `/admin/${section}${rest}`);

const common = {
  method: 'GET',
  summary: 'The dashboard',
  tags: ['Pages'],
  access: { session: [] },
  errors: [],
} as const;

function pageRoute(path: string, body: string): Route {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => [name, z.string().max(200)] as const);
  return defineRoute({
    ...common,
    path,
    ...(names.length > 0 ? { params: z.object(Object.fromEntries(names)) } : {}),
    query: z.looseObject({}),
    responses: { 200: { description: 'The page.', html: true } },
    handler: async () => ({ status: 200, body, headers: { 'Content-Security-Policy': contentSecurityPolicy } }),
  });
}

const missingRoute = (renderMissing: RenderMissing): Route =>
  defineRoute({
    ...common,
    path: '/admin',
    responses: { 503: { description: 'The dashboard is not built.', html: true } },
    handler: async (_ctx, { principal }) => ({ status: 503, body: renderMissing(principal) }),
  });
