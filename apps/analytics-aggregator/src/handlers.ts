import { recordFacts, recordUsage } from '@eas/analytics';
import type { StoredEvent } from '@eas/contracts';
import { consumeEvents, type Handlers } from '@eas/queue';

/** `onUsage`: called with the events of calls to models that were added up, for metrics. */
export const analyticsHandlers = ({
  onUsage,
}: {
  onUsage: (events: readonly StoredEvent[]) => void;
}): Handlers<'analytics'> => ({
  'facts.follow': consumeEvents('facts.follow', recordFacts),
  'facts.record': consumeEvents('facts.record', recordFacts),
  'usage.record': consumeEvents('usage.record', async (ctx, events) => {
    await recordUsage(ctx, events);
    onUsage(events);
  }),
});
