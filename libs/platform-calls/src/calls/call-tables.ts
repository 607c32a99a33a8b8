import type { DestinationTable, MessageTable } from '@eas/outbound';
import type { CallResult, NewCall } from './platform-call.ts';

/** The API of an integration, with one call at a time. `slotAt`: when the calls so far would all have been made at an even pace. */
export type PlatformApi = { integrationId: string; slotAt: Date };

export type PlatformCall = NewCall & { rank: number; result: CallResult | null };

export const platformApis: DestinationTable = {
  table: 'platform_apis',
  key: ['integrationId'],
  own: ['slotAt'],
  dueAt: 'due_at',
  restUntil: 'paused_until',
  claimedUntil: 'lease_until',
  fence: 'fence',
  slowCount: 'slow_calls',
  initial: { slot_at: 'app_now()' },
};

export const platformCalls: MessageTable = {
  table: 'platform_calls',
  key: ['integrationId', 'kind', 'externalId', 'key'],
  own: ['payload', 'rank', 'result'],
  states: { waiting: 'waiting', sent: 'done' },
  dueAt: 'due_at',
  settledAt: 'finished_at',
  order: 'rank, due_at',
  countsClaims: true,
};
