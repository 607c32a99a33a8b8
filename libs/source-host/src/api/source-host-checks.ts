import type { Send } from '@eas/outbound';
import { z } from 'zod';

const text = z.string().max(1_000_000).nullish();

/** A check of a commit, as the API of a source host shows it. */
const checkRun = z.looseObject({
  id: z.number(),
  name: z.string().max(1_000),
  conclusion: z.string().max(64).nullish(),
  output: z.looseObject({ title: text, summary: text, annotations_count: z.number().nullish() }).nullish(),
  app: z.looseObject({ slug: z.string().max(255).nullish() }).nullish(),
});
export const checkRuns = z.looseObject({ check_runs: z.array(checkRun) });
export type CheckRun = z.infer<typeof checkRun>;

const annotation = z.looseObject({
  path: z.string().max(4_096),
  start_line: z.number().nullish(),
  annotation_level: z.string().max(64).nullish(),
  message: text,
});
export const annotations = z.array(annotation);
export type Annotation = z.infer<typeof annotation>;

const maxTailBytes = 65_536;

/**
 * The end of the log of a job; undefined where it cannot be had. The source host sends to where it is stored, which gets no
 * token, and is asked for the end alone.
 */
export async function readLogEnd(
  send: Send,
  request: { url: string; headers: Record<string, string>; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const { url, headers } = request;
  const signal = request.signal ? { signal: request.signal } : {};
  const asked = await send({ method: 'GET', url, headers, ...signal });
  if (asked.kind !== 'response') return undefined;
  if (asked.status === 200) return endOf(asked.body);
  const location = URL.parse(String(asked.headers['location'] ?? ''), url);
  if (![302, 307].includes(asked.status) || !location) return undefined;
  const get = (range: string) =>
    send({
      method: 'GET',
      url: location.href,
      headers: { range, 'user-agent': headers['user-agent'] ?? '', 'accept-encoding': 'identity' },
      ...signal,
    });
  const first = await get('bytes=0-0');
  if (first.kind !== 'response') return undefined;
  // It knows no ranges.
  if (first.status === 200) return endOf(first.body);
  const size = Number(/\/(\d+)$/.exec(String(first.headers['content-range'] ?? ''))?.[1] ?? Number.NaN);
  if (first.status !== 206 || !Number.isSafeInteger(size) || size === 0) return undefined;
  const end = await get(`bytes=${Math.max(0, size - maxTailBytes)}-`);
  return end.kind === 'response' && end.status === 206 ? endOf(end.body) : undefined;
}

const endOf = (body: Buffer): string => body.subarray(-maxTailBytes).toString('utf8');
