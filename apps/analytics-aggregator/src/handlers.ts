import { recordFacts, recordUsage } from '@eas/analytics';
import type { StoredEvent } from '@eas/contracts';
import { consumeEvents, type Handlers } from '@eas/queue';

export type AnalyticsObserver = {
  /** Called when new facts were read. */
  onFacts(): void;
  /** Called with the events of calls to models that were added up, for metrics. */
  onUsage(events: readonly StoredEvent[]): void;
};

export const analyticsHandlers = ({ onFacts, onUsage }: AnalyticsObserver): Handlers<'analytics'> => ({
  'facts.follow': consumeEvents('facts.follow', async (ctx, events) => {
    await recordFacts(ctx, events);
    onFacts();
  }),
  'facts.record': consumeEvents('facts.record', recordFacts),
  'usage.record': consumeEvents('usage.record', async (ctx, events) => {
    await recordUsage(ctx, events);
    onUsage(events);
  }),
});
