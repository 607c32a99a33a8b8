export { mountRoutes } from './door.ts';
export { type DoorDeps, type Headers } from './door-deps.ts';
export { isUnavailable } from './error-answer.ts';
export { sweepKeptAnswers } from './idempotency/idempotency.store.ts';
export { createRateLimiter, type LimitState, type RateLimiter, type RateLimiterOptions } from './limits/rate-limit.ts';
export { type CountPoints, countInPostgres, countInRedis, type Window } from './limits/rate-limit.store.ts';
export {
  type Access,
  type Answer,
  type AnswerOf,
  type Bucket,
  defineRoute,
  type Method,
  type OpenContext,
  type RequestFacts,
  type ResponseDefs,
  type Route,
} from './route.ts';
export { type Listening, serve } from './serve.ts';
export { forwardWebhooks, type ForwardOptions } from './forward-webhooks.ts';
export { type OpenApiInfo, printOpenApi } from './open-api/open-api.ts';
