export { sweepDueDeliveries } from './deliveries/delivery.sweeper.ts';
export { fanOut } from './deliveries/fan-out.ts';
export { type DeliverySending, sendDeliveries } from './deliveries/send-deliveries.ts';
export { type SendRequest, type WebhookRequest, type WebhookResult } from './deliveries/transport.ts';
export { defaultRetrySeconds, type RetryPolicy } from './deliveries/verdict.ts';
export { createEndpoint, type EndpointRules } from './endpoints/create-endpoint.ts';
export { getEndpoint } from './endpoints/get-endpoint.ts';
export { listEndpoints } from './endpoints/list-endpoints.ts';
