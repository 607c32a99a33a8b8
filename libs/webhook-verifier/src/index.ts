export { type HandlerOptions, type SeenEvents } from './receive-webhook.ts';
export { type WebhookHeaders } from './webhook-headers.ts';
export { type RefusalReason, type VerifyOptions, type VerifyResult, verifyWebhook } from './verify-webhook.ts';
export { type WebhookEvent } from './webhook-event.ts';
export { webhookFetchHandler } from './webhook-fetch-handler.ts';
export { type NodeRequest, type NodeResponse, webhookHandler } from './webhook-handler.ts';
