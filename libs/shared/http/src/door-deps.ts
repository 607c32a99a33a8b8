import type { Actor, Principal } from '@eas/contracts';
import type { Logger } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { RequestHandler } from 'express';
import type { LimitState } from './limits/rate-limit.ts';
import type { Bucket } from './route.ts';

/** Request headers as Node gives them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What the door needs of the rest of the process; container.ts supplies it. */
export type DoorDeps = {
  /** Who calls; throws AppError unauthorized. */
  authenticate: (headers: Headers, remoteAddress: string) => Principal | Promise<Principal>;
  makeContext: (caller: { tenantId: string; actor: Actor; signal: AbortSignal; logger: Logger }) => UseCaseContext;
  /** Counts one call. Left out: no limits and no X-RateLimit headers. */
  limit?: (principal: Principal, bucket: Bucket) => LimitState | Promise<LimitState>;
  logger: Logger;
  /** What clients call, without a final slash: a Location that is a path goes out as an address below it. */
  baseUrl?: string;
  /** Told about every answer, for metrics. `route` is the pattern; `unmatched` for unknown paths. */
  onAnswered?: (seen: { method: string; route: string; status: number; durationMs: number }) => void;
  /** Proxies (CIDRs) whose X-Forwarded-For is believed; default none. */
  trustProxy?: readonly string[];
  /** For tests: an answer that does not fit its documented schema becomes a 500. */
  checksAnswers?: boolean;
  /** Cuts a body of which nothing came for that long; default 15 s. */
  stallMs?: number;
  /** Handlers of foreign protocols under a path, asked before the routes. */
  mounts?: readonly { path: string; handler: RequestHandler }[];
};
