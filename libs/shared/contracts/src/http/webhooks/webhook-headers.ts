import { z } from 'zod';
import { requiredText } from '../../fields.ts';
import { headerText } from '../../secrets.ts';

const maxWebhookHeaders = 20;
/** Names and values together, in bytes: they are ASCII. */
const maxWebhookHeaderBytes = 8_192;

/** Set by the service itself, or specific to a connection. */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'x-service-signature',
]);
const reservedPrefixes = ['content-', 'proxy-', 'webhook-'];

function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
}

// RFC 9110: a token.
const name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/);
const value = requiredText(1_024).regex(headerText);

type Headers = Readonly<Record<string, string | null>>;

const sizeOf = (headers: Headers): number =>
  Object.entries(headers).reduce((bytes, [key, text]) => bytes + key.length + (text?.length ?? 0), 0);

export const tooManyWebhookHeaders = (headers: Headers): boolean => Object.keys(headers).length > maxWebhookHeaders;
export const tooLargeWebhookHeaders = (headers: Headers): boolean => sizeOf(headers) > maxWebhookHeaderBytes;
export const tooManyMessage = `must have at most ${maxWebhookHeaders} headers`;
export const tooLargeMessage = `must have at most ${maxWebhookHeaderBytes} bytes in all`;

function checkHeaders(headers: Headers, context: z.RefinementCtx): void {
  const refuse = (path: string[], constraint: string, message: string) =>
    context.addIssue({ code: 'custom', path, params: { constraint }, message });
  if (tooManyWebhookHeaders(headers)) return refuse([], 'max_length', tooManyMessage);
  if (tooLargeWebhookHeaders(headers)) refuse([], 'max_size', tooLargeMessage);
  const seen = new Set<string>();
  for (const key of Object.keys(headers)) {
    if (isReserved(key)) refuse([key], 'format', 'is reserved: the service sets this header');
    if (seen.has(key.toLowerCase())) refuse([key], 'format', 'is given twice: header names ignore case');
    seen.add(key.toLowerCase());
  }
}

const textOfLimits = `At most ${maxWebhookHeaders} headers and ${maxWebhookHeaderBytes} bytes. Reserved: ${[...reserved].join(', ')}, ${reservedPrefixes.map((prefix) => `${prefix}*`).join(', ')}.`;

export const webhookHeaders = z
  .record(name, value)
  .superRefine(checkHeaders)
  .describe(`Headers that each delivery has in addition. Their values are never returned. ${textOfLimits}`);

/** null removes a header. */
export const webhookHeadersPatch = z
  .record(name, value.nullable())
  .superRefine(checkHeaders)
  .describe(`Merged header by header; null removes one. ${textOfLimits}`);
