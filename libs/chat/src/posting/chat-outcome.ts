import { readRetryAfter } from '@eas/contracts';
import type { OutboundResult } from '@eas/outbound';
import type { ChatTarget } from './chat-request.ts';

/** What the chat made of a message. `reason` is a word: an error of the chat, `http_503`, or why no response came. */
export type ChatOutcome =
  | { kind: 'posted'; channel?: string; ts?: string }
  /** Too fast: later, and not counted as an attempt. */
  | { kind: 'limited'; afterMs: number; reason: string }
  | { kind: 'retry'; reason: string; afterMs: number }
  /** This message is not taken, others are. */
  | { kind: 'refused'; reason: string }
  /** No message is taken: in the channel, or anywhere. */
  | { kind: 'stop'; scope: 'channel' | 'integration'; reason: string };

const secondMs = 1_000;
/** Where a response to too many requests does not say how long to wait. */
const limitedPauseMs = 30 * secondMs;

const ofIntegration: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'no_permission',
  'missing_scope',
  'not_allowed_token_type',
  'access_denied',
  'org_login_required',
  'ekm_access_denied',
  'team_access_not_granted',
  'two_factor_setup_required',
  'no_service',
  'no_service_id',
  'no_team',
  'team_disabled',
  'invalid_token',
  'action_prohibited',
]);
const ofChannel: ReadonlySet<string> = new Set([
  'channel_not_found',
  'channel_is_archived',
  'is_archived',
  'not_in_channel',
  'posting_to_general_channel_denied',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
]);
const passing: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'rollup_error',
  'team_added_to_org',
  'message_limit_exceeded',
]);
/** Statuses that say that nothing is taken at this address. */
const closedStatuses = [401, 403, 404, 410];
/** Reasons without a response that no second attempt changes. */
const closedReasons = ['blocked_target', 'token_unusable'];

/** Judges a response. `now`: for a Retry-After that is a date. */
export function chatOutcome(response: OutboundResult, by: ChatTarget['by'], now: Date): ChatOutcome {
  if (response.kind === 'failure') {
    const { reason } = response;
    return closedReasons.includes(reason) ? { kind: 'stop', scope: 'integration', reason } : retry(reason);
  }
  const { status, body, headers } = response;
  const waitMs = askedMs(headers['retry-after'], now);
  if (status === 429) return limited('http_429', waitMs);
  const isApi = by === 'token' || by === 'update';
  const answer = isApi ? apiAnswer(body) : webhookAnswer(status, headers['content-type'], body);
  if (answer?.ok) return { kind: 'posted', ...answer.message };
  if (answer?.error === 'ratelimited' || answer?.error === 'rate_limited') return limited(answer.error, waitMs);
  if (status >= 500) return retry(answer?.error ?? `http_${status}`, waitMs ?? 0);
  if (answer?.error !== undefined) return ofError(answer.error, status);
  if (closedStatuses.includes(status)) return { kind: 'stop', scope: 'integration', reason: `http_${status}` };
  if (status >= 400 && status !== 408) return { kind: 'refused', reason: `http_${status}` };
  // Not what a chat sends: a page of a proxy, a redirect.
  return retry(status < 300 ? 'not_a_chat_response' : `http_${status}`, waitMs ?? 0);
}

function ofError(error: string, status: number): ChatOutcome {
  if (passing.has(error)) return retry(error);
  if (ofIntegration.has(error)) return { kind: 'stop', scope: 'integration', reason: error };
  if (ofChannel.has(error)) return { kind: 'stop', scope: 'channel', reason: error };
  if (closedStatuses.includes(status)) return { kind: 'stop', scope: 'integration', reason: error };
  return { kind: 'refused', reason: error };
}

const retry = (reason: string, afterMs = 0): ChatOutcome => ({ kind: 'retry', reason, afterMs });

const limited = (reason: string, afterMs: number | undefined): ChatOutcome => ({
  kind: 'limited',
  reason,
  afterMs: afterMs ?? limitedPauseMs,
});

type Answer = { ok: boolean; error?: string; message?: { channel?: string; ts?: string } };

/** Undefined: no response of the API. */
function apiAnswer(body: Buffer): Answer | undefined {
  const parsed = objectOf(body);
  if (typeof parsed?.['ok'] !== 'boolean') return undefined;
  const { ok, error, channel, ts } = parsed;
  if (!ok) return { ok, error: isWord(error) ? error : 'unknown_error' };
  return { ok, message: { ...(isShort(channel) && { channel }), ...(isShort(ts) && { ts }) } };
}

/** Incoming webhooks respond with a word as text, whatever the status. */
function webhookAnswer(status: number, type: string | string[] | undefined, body: Buffer): Answer | undefined {
  const isPage = /\bhtml\b/i.test(String(type ?? ''));
  if (status >= 200 && status < 300) return isPage ? undefined : { ok: true };
  const text = body.subarray(0, 200).toString('utf8').trim();
  const error = objectOf(body)?.['error'] ?? text;
  return isWord(error) && status >= 400 ? { ok: false, error } : undefined;
}

function objectOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[a-z][a-z0-9_]{1,63}$/.test(value);
const isShort = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,64}$/.test(value);

/** At least a second, where a response says anything. */
function askedMs(header: string | string[] | undefined, now: Date): number | undefined {
  const waitMs = readRetryAfter(header, now.getTime());
  return waitMs === undefined ? undefined : Math.max(waitMs, secondMs);
}
