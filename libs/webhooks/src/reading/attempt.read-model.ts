import { maxShownAttempts } from '@eas/contracts';
import { boundedRowsSql, type DbScope } from '@eas/db';
import type { OutboundPhases } from '@eas/outbound';

/** An attempt as JSON of the database has it. */
export type ShownAttempt = OutboundPhases & {
  number: number;
  startedAt: string;
  durationMs: number;
  status: number | null;
  outcome: string;
  error: string | null;
  response: string | null;
  url: string | null;
  responseHeaders: Record<string, string | string[]> | null;
  isResponseCut: boolean;
};
export type ShownAttempts = { rows: ShownAttempt[]; isCut: boolean };

const maxErrorLength = 2_000;
const maxBytes = 524_288;

const attemptsSql = `SELECT ${boundedRowsSql({
  from: 'attempts a',
  where: 'a.tenant_id = $1 AND a.event_id = $2 AND a.endpoint_id = $3',
  key: 'a.number',
  first: 'newest',
  json: `json_build_object('number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms,
    'status', a.status, 'outcome', a.outcome, 'error', left(a.error, ${maxErrorLength}), 'response', a.response,
    'url', a.url, 'dnsMs', a.dns_ms, 'connectMs', a.connect_ms, 'tlsMs', a.tls_ms, 'firstByteMs', a.first_byte_ms,
    'bodyMs', a.body_ms, 'responseHeaders', a.response_headers, 'isResponseCut', a.is_response_cut)`,
  maxRows: maxShownAttempts,
  maxBytes,
  hasOne: true,
})} AS attempts`;

/** The newest attempts of a delivery, oldest first. */
export async function readAttempts(
  { db, tenantId }: DbScope,
  { eventId, endpointId }: { eventId: string; endpointId: string },
): Promise<ShownAttempts> {
  const [row] = await db.query<{ attempts: ShownAttempts }>(attemptsSql, [tenantId, eventId, endpointId]);
  return row?.attempts ?? { rows: [], isCut: false };
}
