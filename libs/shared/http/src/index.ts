export { mayCall } from './handling/admission.ts';
export { maxReceiverBodyBytes } from './intake/read-body.ts';
export { type RouteResponse, type ResponseOf, FixedBody, type ResponseDefs } from './routes/responses.ts';
export { callRoute, type RouteArguments } from './in-process/call-route.ts';
export { mountRoutes } from './door.ts';
export { type DoorDeps, type Mount } from './exchange/door-deps.ts';
export { type Headers } from './reading/headers.ts';
export { respondToError, type ErrorPage, isUnavailable } from './routes/error-response.ts';
export { type Deprecation } from './routes/deprecation.ts';
export { sealedResponses } from './idempotency/idempotency.ts';
export { sweepKeptResponses } from './idempotency/idempotency.sweeper.ts';
export { createThrottle, type Throttle, throttleByAddress } from './limits/throttle.ts';
export {
  createRateLimiter,
  type LimitState,
  type RateLimiter,
  type RateLimiterOptions,
  tooMany,
} from './limits/rate-limit.ts';
export { sweepRateWindows } from './limits/rate-limit.sweeper.ts';
export { type CountPoints, countInPostgres, countInRedis, type Window } from './limits/rate-limit.store.ts';
export {
  type Access,
  type Bucket,
  defineRoute,
  type Method,
  type OpenContext,
  type RequestFacts,
  type RequestHead,
  type Route,
} from './routes/route.ts';
export { type BodyReader, bodyReader } from './reading/body-schema.ts';
export { remoteAddressOf } from './security/remote-address.ts';
export { type Listening, serve } from './serve.ts';
export { gatewaySecrets } from './pass-through/gateway-proof.ts';
export { type PassThroughOptions, webhookRoutes } from './pass-through/webhook-routes.ts';
export { isLocalPath } from './pages/local-path.ts';
export { serveFolder, type ServeFolderOptions } from './pages/serve-folder.ts';
export { type CallerLimiter, withTenantCeiling } from './limits/tenant-ceiling.ts';
export { createTenantPace, type TenantPace, type TenantPaceOptions, withTenantPace } from './limits/tenant-pace.ts';
export { createStreams, type StreamEnd, type StreamObserver, type Streams } from './streams/streams.ts';
export { type OpenApiInfo, printOpenApi } from './open-api/open-api.ts';
