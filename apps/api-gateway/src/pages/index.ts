import { join } from 'node:path';
import { type Route, serveFolder } from '@eas/http';
import type { PageParts } from './page.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { welcomeRoutes } from './welcome.routes.ts';

export { type PageParts } from './page.ts';
export { createRender, createRenderErrorPage, renderMissingDashboard } from './render.ts';
export { signInPath } from './sign-in.routes.ts';

export const pageRoutes = (parts: PageParts): Route[] => [...signInRoutes(parts), ...welcomeRoutes(parts)];

export const pageAssets = () => serveFolder({ path: '/admin/assets', folder: join(import.meta.dirname, 'assets') });
