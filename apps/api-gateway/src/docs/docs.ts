import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineRoute, type Mount, type Route, serveFolder } from '@eas/http';

/** The page loads and calls only this service; nothing inline, nothing from other sites. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const assetsPath = '/docs/assets';
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files that the page loads; the package also has a page, sources and lists of its own. */
const swaggerUiFiles = [
  'favicon-32x32.png',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
  'swagger-ui-bundle.js',
  'swagger-ui.css',
];

export const docsMounts = (): Mount[] =>
  [{ folder: join(import.meta.dirname, 'assets') }, { folder: swaggerUi, files: swaggerUiFiles }].map((served) =>
    serveFolder({ path: assetsPath, contentSecurityPolicy, ...served }),
  );

export function docsRoute(baseUrl: string): Route {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const page = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8').replaceAll('{{base}}', basePath);
  return defineRoute({
    method: 'GET',
    path: '/docs',
    summary: 'Documentation for people',
    tags: ['System'],
    access: 'public',
    responses: { 200: { description: 'The page.', html: true } },
    errors: [],
    handler: async () => ({ status: 200, body: page, headers: { 'Content-Security-Policy': contentSecurityPolicy } }),
  });
}
