import { applyInboundEvents, giveUpInboundEvent } from '@eas/task-sync';
import { answerByReplies, reportToPlatform } from '@eas/task-platform';
import { readReceiptSizes } from '@eas/receiving';
import { wantPullRequests } from '@eas/source-host';
import { consumeEvents, type Handlers } from '@eas/queue';
import { planTasks } from '@eas/tasks';
import { advanceOnEvents, readRunSizes } from '@eas/workflows';

/** `sourceHost`: where the repositories are for which pull requests can be opened. */
export const workflowHandlers = ({ sourceHost }: { sourceHost: string }): Handlers<'workflow'> => ({
  'plan.follow': consumeEvents('plan.follow', planTasks),
  'task.plan': consumeEvents('task.plan', planTasks),
  'run.advance': consumeEvents('run.advance', advanceOnEvents, { sizes: readRunSizes }),
  'inbound.apply': consumeEvents('inbound.apply', applyInboundEvents, {
    sizes: readReceiptSizes,
    giveUp: giveUpInboundEvent,
  }),
  'tell.follow': consumeEvents('tell.follow', reportToPlatform),
  'platform.tell': consumeEvents('platform.tell', reportToPlatform),
  'platform.hear': consumeEvents('platform.hear', answerByReplies),
  'pull_request.open': consumeEvents('pull_request.open', (ctx, events) => wantPullRequests(ctx, events, sourceHost)),
});
