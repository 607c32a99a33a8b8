import { wantedTexts } from '@eas/core';
import { headerOf, type Source } from '@eas/receiving';
import { readPlatformEvent } from './changes/platform-event.ts';
import { platformDedupeKey } from './dedupe-key.ts';

const webhookId = 'webhook_id';

/** What is well-formed but not known is kept as quarantined. */
export const taskPlatformSource: Source = {
  name: 'taskplatform',
  type: 'taskplatform',
  signatureOf: (head) => headerOf(head, 'x-signature'),
  takesForms: false,
  wanted: wantedTexts(webhookId),
  /** Integrations that name the webhook come first; where a body names none, any of them may be meant. */
  lookUpsOf({ ofPlatform, byWebhookId, withoutWebhookId }, found) {
    const webhook = found.get(webhookId);
    if (webhook === undefined) return [{ in: ofPlatform, key: '' }];
    return [
      { in: byWebhookId, key: webhook },
      { in: withoutWebhookId, key: '' },
    ];
  },
  read({ body: parsed, text }) {
    const { body, isKnown, externalId } = readPlatformEvent(parsed);
    return {
      event: body.event,
      externalId: externalId ?? null,
      dedupeKey: platformDedupeKey(body, text),
      status: isKnown ? 'received' : 'quarantined',
    };
  },
};
