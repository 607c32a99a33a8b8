import { join } from 'node:path';
import { type Route, serveFolder } from '@eas/http';
import { auditRoutes } from './audit.routes.ts';
import { clientRoutes } from './clients.routes.ts';
import { keyActRoutes } from './key-acts.routes.ts';
import { keyRoutes } from './keys.routes.ts';
import { madeRoutes } from './made.routes.ts';
import type { PageParts } from './page.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { userActRoutes } from './user-acts.routes.ts';
import { userRoutes } from './users.routes.ts';
import { welcomeRoutes } from './welcome.routes.ts';

export { type PageParts } from './page.ts';
export { createRender, createRenderErrorPage, renderMissingDashboard, type Render } from './render.ts';
export { signInPath } from './sign-in.routes.ts';

export const pageRoutes = (parts: PageParts): Route[] => [
  ...signInRoutes(parts),
  ...welcomeRoutes(parts),
  ...keyRoutes(parts),
  ...keyActRoutes(parts),
  ...clientRoutes(parts),
  ...userRoutes(parts),
  ...userActRoutes(parts),
  ...auditRoutes(parts),
  ...madeRoutes(parts),
];

export const pageAssets = () => serveFolder({ path: '/admin/assets', folder: join(import.meta.dirname, 'assets') });
