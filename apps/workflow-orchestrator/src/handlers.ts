import {
  applyInboundEvents,
  giveUpInboundEvent,
  hearReplies,
  readReceiptSizes,
  reportToPlatform,
} from '@eas/integrations';
import { consumeEvents } from '@eas/queue';
import { planTasks } from '@eas/tasks';
import { advanceOnEvents, readRunSizes } from '@eas/workflows';

export const handlers = {
  'task.plan': consumeEvents('task.plan', planTasks),
  'run.advance': consumeEvents('run.advance', advanceOnEvents, { sizes: readRunSizes }),
  'inbound.apply': consumeEvents('inbound.apply', applyInboundEvents, {
    sizes: readReceiptSizes,
    giveUp: giveUpInboundEvent,
  }),
  'platform.tell': consumeEvents('platform.tell', reportToPlatform),
  'platform.hear': consumeEvents('platform.hear', hearReplies),
};
