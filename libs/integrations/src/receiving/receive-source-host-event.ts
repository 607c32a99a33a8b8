import { pullRequestEvent, sourceHostOwners } from '@eas/contracts';
import { AppError, newId } from '@eas/core';
import type { z } from 'zod';
import { sourceHostDedupeKey } from '../inbound/dedupe-key.ts';
import { insertInboundEvents } from '../inbound/inbound-event.store.ts';
import { parseInboundJson } from './inbound-json.ts';
import { checkShape } from '../platform/platform-event.ts';
import { pullRequestId } from '../source-host/pull-request.ts';
import { headerOf, type InboundRequest, type Receiver } from './receiver.ts';
import { type Sender, verifySender } from './verify-sender.ts';

/**
 * Takes a body of the source host. Opened pull requests are stored once with their event; every other verified body is
 * answered and ignored. AppErrors as for the task platform.
 */
export async function receiveSourceHostEvent(receiver: Receiver, request: InboundRequest): Promise<void> {
  const { text, body } = parseInboundJson(request.raw);
  const name = headerOf(request, 'x-github-event');
  if (name === undefined) throw new AppError('invalid_request', { message: 'X-GitHub-Event is missing.' });
  checkShape(sourceHostOwners, body);
  const isOpened = name === 'pull_request' && body['action'] === 'opened';
  if (isOpened) checkShape(pullRequestEvent, body);
  const sender = await verifySender(receiver.sourceHostCandidates, {
    raw: request.raw,
    signature: headerOf(request, 'x-hub-signature-256')?.replace(/^sha256=/, ''),
    keys: ownersOf(body),
    takesUnsigned: request.takesUnsigned,
  });
  if (!isOpened) return receiver.onReceipt?.('sourcehost', 'ignored');
  await store(receiver, sender, { text, body, deliveryId: headerOf(request, 'x-github-delivery') });
}

/** Logins of the organisation and of the repository's owner, in lower case. */
function ownersOf(body: object): string[] {
  const { organization, repository } = body as z.infer<typeof sourceHostOwners>;
  const logins = [organization?.login, repository?.owner?.login].filter((login) => login !== undefined);
  return [...new Set(logins.map((login) => login.toLowerCase()))];
}

type OpenedPullRequest = { text: string; body: object; deliveryId: string | undefined };

async function store(receiver: Receiver, sender: Sender, opened: OpenedPullRequest): Promise<void> {
  const outcome = await receiver.gather(insertInboundEvents, {
    ...sender,
    id: newId('inboundEvent'),
    source: 'sourcehost' as const,
    event: 'pull_request.opened',
    externalId: pullRequestId(opened.body as z.infer<typeof pullRequestEvent>),
    dedupeKey: sourceHostDedupeKey(opened.deliveryId),
    body: opened.text,
    receivedAt: receiver.clock.now(),
    status: 'received' as const,
  });
  receiver.onReceipt?.('sourcehost', outcome);
}
