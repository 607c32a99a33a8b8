import { bytesOf, isRaw } from './bytes.ts';
import { base64Of, hexOf, hmacOf, isSameText, serviceKey, standardKey } from './hmac.ts';
import { parseEvent, type WebhookEvent } from './webhook-event.ts';
import { headerOf, type WebhookHeaders } from './webhook-headers.ts';

export type VerifyOptions = {
  /** The webhook's secret; several while it is rotated: one must match. */
  secret: string | readonly string[];
  /**
   * `standard` (the default) verifies `webhook-id`, `webhook-timestamp` and `webhook-signature`; `service` verifies
   * `X-Service-Signature`, which has no time: someone who records such a delivery can send it again later.
   */
  scheme?: 'standard' | 'service';
  /** Maximum difference between `webhook-timestamp` and the clock, in both directions; 300 by default. */
  toleranceSeconds?: number;
  now?: () => Date;
};

export type RefusalReason =
  'missing_header' | 'malformed_header' | 'bad_signature' | 'too_old' | 'too_new' | 'malformed_body';

export type VerifyResult = { ok: true; event: WebhookEvent } | { ok: false; reason: RefusalReason };

const defaultToleranceSeconds = 300;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Nothing that a sender can put into headers or body throws. A TypeError means wrong options or a body that is not raw. */
export async function verifyWebhook(
  { headers, body }: { headers: WebhookHeaders; body: string | Uint8Array },
  options: VerifyOptions,
): Promise<VerifyResult> {
  assertOptions(options);
  if (!isRaw(body)) {
    throw new TypeError('body must be the raw body, a string or a Uint8Array. Verify it before it is parsed.');
  }
  const bytes = bytesOf(body);
  const verify = options.scheme === 'service' ? serviceRefusal : standardRefusal;
  const reason = await verify(headers, bytes, options);
  if (reason) return { ok: false, reason };
  const event = parseEvent(bytes);
  return event ? { ok: true, event } : { ok: false, reason: 'malformed_body' };
}

/** Throws on options that would accept nothing or everything. */
export function assertOptions({ secret, scheme, toleranceSeconds = 0 }: VerifyOptions): void {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || standardKey(one).length === 0)) {
    throw new TypeError('secret must be a string with at least one character, or an array of them.');
  }
  if (scheme !== undefined && scheme !== 'standard' && scheme !== 'service') {
    throw new TypeError('scheme must be "standard" or "service".');
  }
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number from 0.');
}

type Verifier = (
  headers: WebhookHeaders,
  body: Uint8Array,
  options: VerifyOptions,
) => Promise<RefusalReason | undefined>;

const serviceRefusal: Verifier = async (headers, body, { secret }) => {
  const given = headerOf(headers, 'x-service-signature');
  if (!given) return 'missing_header';
  if (!/^sha256=[0-9a-f]{64}$/.test(given)) return 'malformed_header';
  const expected = [secret].flat().map(async (one) => `sha256=${hexOf(await hmacOf(serviceKey(one), [body]))}`);
  return isAnySame(await Promise.all(expected), [given]) ? undefined : 'bad_signature';
};

const standardRefusal: Verifier = async (headers, body, options) => {
  const [id, timestamp, list] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, `webhook-${name}`));
  if (!id || !timestamp || !list) return 'missing_header';
  const given = list.split(' ').filter((signature) => signature.startsWith('v1,'));
  if (!/^\d{1,12}$/.test(timestamp) || given.length === 0) return 'malformed_header';
  const signed = [encode(`${id}.${timestamp}.`), body];
  const expected = [options.secret].flat().map(async (one) => `v1,${base64Of(await hmacOf(standardKey(one), signed))}`);
  if (!isAnySame(await Promise.all(expected), given)) return 'bad_signature';
  return timeRefusal(Number(timestamp), options);
};

function timeRefusal(sentAt: number, { toleranceSeconds, now = () => new Date() }: VerifyOptions) {
  const tolerance = toleranceSeconds ?? defaultToleranceSeconds;
  const age = Math.floor(now().getTime() / 1_000) - sentAt;
  if (age > tolerance) return 'too_old';
  return -age > tolerance ? 'too_new' : undefined;
}

/** Compares each with each, so that the time does not reveal which one matched. */
function isAnySame(expected: readonly string[], given: readonly string[]): boolean {
  const results = expected.flatMap((text) => given.map((other) => isSameText(text, other)));
  return results.includes(true);
}
