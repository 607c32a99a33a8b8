export { mayCall } from './handling/admission.ts';
export { maxReceiverBodyBytes } from './intake/read-body.ts';
export { pageHeaders, pageHeaderTexts } from './routes/page-headers.ts';
export { CsvBody, FixedBody, type RouteResponse } from './routes/responses.ts';
export { callRoute } from './in-process/call-route.ts';
export { mountRoutes } from './mount-routes.ts';
export { type HttpDeps, type Mount } from './exchange/http-deps.ts';
export { respondToError, type ErrorPage } from './routes/error-response.ts';
export { sealedResponses } from './idempotency/idempotency.ts';
export { sweepKeptResponses } from './idempotency/idempotency.sweeper.ts';
export {
  createLookUpThrottle,
  createThrottle,
  type LookUpThrottle,
  type Throttle,
  throttleByAddress,
} from './limits/throttle.ts';
export { createRateLimiter, type RateLimiter, tooMany } from './limits/rate-limit.ts';
export { sweepRateWindows } from './limits/rate-limit.sweeper.ts';
export { type CountPoints, countInPostgres, countInRedis } from './limits/rate-limit.store.ts';
export { type Access, defineRoute, type RequestFacts, type RequestHead, type Route } from './routes/route.ts';
export { bodyReader } from './reading/body-schema.ts';
export { remoteAddressOf } from './security/remote-address.ts';
export { type Listening, serve } from './serve.ts';
export { gatewaySecrets } from './pass-through/gateway-proof.ts';
export { type PassThroughOptions, webhookRoutes } from './pass-through/webhook-routes.ts';
export { isLocalPath } from './pages/local-path.ts';
export { serveFolder } from './pages/serve-folder.ts';
export { type CallerLimiter, withTenantCeiling } from './limits/tenant-ceiling.ts';
export { createTenantPace, type TenantPace, withTenantPace } from './limits/tenant-pace.ts';
export { createStreams, type StreamEnd } from './streams/streams.ts';
export { printArguments } from './open-api/json-schema.ts';
export type { DescribedOperation } from './open-api/described-operations.ts';
export { type OpenApiInfo, printOpenApi } from './open-api/open-api.ts';
