import { recordFacts, recordUsage } from '@eas/analytics';
import { consumeEvents, type Handlers } from '@eas/queue';

export const handlers: Handlers<'analytics'> = {
  'facts.record': consumeEvents('facts.record', recordFacts),
  'usage.record': consumeEvents('usage.record', recordUsage),
};
