import { type DoorDeps, mountRoutes, printOpenApi } from '@eas/http';
import { keepReadiness, type ReadinessChecks } from '@eas/runtime';
import { apiRoutes, type RouteParts } from './routes/index.ts';
import { openApiRoute, systemRoutes } from './routes/system.routes.ts';

export type GatewayParts = RouteParts & { door: DoorDeps; checks: ReadinessChecks; baseUrl: string };

/** The Express app of the gateway: the REST API, its contract and the public readiness. */
export function gatewayApp({ door, checks, baseUrl, ...parts }: GatewayParts) {
  const routes = [...apiRoutes(parts), ...systemRoutes(keepReadiness(checks))];
  return mountRoutes([...routes, openApiRoute(openApiDocument(parts, baseUrl))], { ...door, baseUrl });
}

/** The contract of the REST API. */
export function openApiDocument(parts: RouteParts, serverUrl: string): object {
  return printOpenApi(apiRoutes(parts), {
    title: 'Engineering Agent Service',
    version: '1',
    description: 'AI agents hold engineering roles and get work done.',
    serverUrl,
  });
}
