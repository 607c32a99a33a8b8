import { type HttpDeps, mountRoutes, type PassThroughOptions, printOpenApi, webhookRoutes } from '@eas/http';
import { keepReadiness, type Readiness, type ReadinessChecks } from '@eas/runtime';
import { createBoard } from './board/board.routes.ts';
import { createDashboard } from './dashboard/dashboard.ts';
import { contractHead } from './docs/contract-head.ts';
import { docsMounts, docsRoute } from './docs/docs.ts';
import { receivedWebhooks } from './docs/received-webhooks.ts';
import { mcpRoute } from './mcp/mcp.routes.ts';
import { clientSecurity, oauthOperations } from './oauth/contract/oauth-operations.ts';
import type { Oauth } from './oauth/oauth.ts';
import {
  createRender,
  createRenderErrorPage,
  pageAssets,
  pageRoutes,
  renderMissingDashboard,
  signInPath,
} from './pages/index.ts';
import { apiRoutes, type RouteParts } from './routes/index.ts';
import { openApiRoute, systemRoutes } from './routes/system.routes.ts';

export type GatewayParts = RouteParts & {
  http: HttpDeps;
  checks: ReadinessChecks;
  /** Aborts when the process begins to drain: /readyz responds with 503 from then on. */
  closing?: AbortSignal;
  /** Other processes, whose state /readyz shows. */
  peers?: ReadinessChecks;
  oauth: Oauth;
  /** The receiver that webhooks are forwarded to; without it none are accepted. */
  receiver?: PassThroughOptions;
  /** The printed contract, if it exists already: printing takes a second. */
  document?: object;
};

const draining: Readiness = { isReady: false, checks: {} };

export function gatewayApp({ http, checks, closing, peers = {}, oauth, receiver, document, ...parts }: GatewayParts) {
  const { baseUrl } = parts;
  const render = createRender(baseUrl);
  const dashboard = createDashboard({
    baseUrl,
    renderMissing: (principal) => renderMissingDashboard(render, principal),
  });
  if (!dashboard.isBuilt) http.logger.error({ command: 'npm run setup' }, 'dashboard not built');
  const board = createBoard({ queues: parts.system.queues, baseUrl });
  const pages = pageRoutes({ ...parts, render, budget: http.budget, policyFor: oauth.policyFor });
  const api = apiRoutes(parts);
  const checked = keepReadiness(checks);
  const check = async () => (closing?.aborted ? draining : checked());
  const system = systemRoutes({ check, checkPeers: keepReadiness(peers), baseUrl });
  const mcp = mcpRoute({ routes: api, budget: http.budget, baseUrl, corsOrigins: http.corsOrigins ?? [] });
  const routes = [...api, mcp, ...pages, ...dashboard.routes, ...board.routes, ...system, ...oauth.routes];
  const webhooks = receiver ? webhookRoutes(receiver) : [];
  const contract = [openApiRoute(document ?? openApiDocument(parts, baseUrl)), docsRoute(baseUrl)];
  const renderErrorPage = createRenderErrorPage(render);
  const mounts = [
    ...(http.mounts ?? []),
    oauth.mount,
    pageAssets(),
    ...dashboard.mounts,
    ...board.mounts,
    ...docsMounts(),
  ];
  return mountRoutes([...routes, ...webhooks, ...contract], { renderErrorPage, signInPath, ...http, mounts, baseUrl });
}

export function openApiDocument(parts: RouteParts, serverUrl: string): object {
  const described = [...receivedWebhooks, ...oauthOperations];
  return printOpenApi(apiRoutes(parts), { ...contractHead(serverUrl), described, ownSecurity: clientSecurity });
}
