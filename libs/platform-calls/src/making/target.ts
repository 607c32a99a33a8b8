import type { Tx, UseCaseContext } from '@eas/db';
import type { PlatformFailure } from '../api/platform-response.ts';
import type { CallKind, CallPayload, CallResult, TakenCall } from '../calls/platform-call.ts';
import type { ApiAccess } from './api-access.read-model.ts';

/** What a call came to. Its effect is applied in the transaction that ends it. */
export type CallOutcome = { restUntil?: number } & (
  | { kind: 'done'; result?: CallResult; apply?: (ctx: UseCaseContext) => Promise<void> }
  /** One step is done, and the next call goes on. */
  | { kind: 'next'; payload: CallPayload; afterMs?: number; apply?: (ctx: UseCaseContext) => Promise<void> }
  /** It cannot be made at all. */
  | { kind: 'failed'; reason: string }
  | { kind: 'response'; failure: PlatformFailure; payload?: CallPayload }
);

export const restOf = ({ restUntil }: { restUntil?: number }) => (restUntil === undefined ? {} : { restUntil });

export type OpenAccess = ApiAccess & { token: string };

/** How calls of one kind are made. What a failure leads to is the same for all kinds (`verdict.ts`). */
export type Target = {
  /** One request, outside of any transaction. */
  request(ctx: UseCaseContext, call: TakenCall, access: OpenAccess): Promise<CallOutcome>;
  /** A call with this key failed, or is made again after an error, which the transaction records. */
  failed?(tx: Tx, key: string, error: string): Promise<unknown>;
  delayed?(tx: Tx, key: string, error: string): Promise<unknown>;
};

export type Targets = Record<CallKind, Target>;
