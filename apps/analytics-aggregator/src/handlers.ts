import { recordFacts } from '@eas/analytics';
import { consumeEvents, type Handlers } from '@eas/queue';

export const handlers: Handlers<'analytics'> = {
  'facts.record': consumeEvents('facts.record', recordFacts),
};
