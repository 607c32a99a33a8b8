import { AppError, currentTraceparent, jsonLimits, newId, scanJson, wantedTexts } from '@eas/core';
import {
  headerOf,
  type InboundRequest,
  insertInboundEvents,
  parseInboundJson,
  payloadOf,
  type Receiver,
  requireSignature,
  type Sender,
  sourceHostDedupeKey,
  verifySender,
} from '@eas/receiving';
import { receivedEvent } from './pull-requests/source-host-event.ts';

/** What is known before the body has come. */
type InboundHead = Omit<InboundRequest, 'raw'>;

const partsOf = (head: InboundHead) => ({
  signature: headerOf(head, 'x-hub-signature-256')?.replace(/^sha256=/, ''),
  takesUnsigned: head.takesUnsigned && head.integrationId === undefined,
});

/** Throws AppError forbidden for a body of the source host that cannot be taken, whatever it is. */
export const admitSourceHostEvent = (head: InboundHead): void => requireSignature(partsOf(head));

/**
 * Takes a body of the source host. What is followed is stored once with its event; every other verified body is
 * acknowledged and ignored. AppErrors as for the task platform.
 */
export async function receiveSourceHostEvent(receiver: Receiver, request: InboundRequest): Promise<void> {
  const { raw, integrationId } = request;
  const payload = payloadOf(raw, headerOf(request, 'content-type'));
  const scan = scanJson(payload ?? nothing, jsonLimits, owners);
  const { byOwner, ofSourceHostAddress } = receiver.candidates;
  const lookUps =
    integrationId === undefined
      ? loginsOf(scan.found).map((key) => ({ in: byOwner, key }))
      : [{ in: ofSourceHostAddress, key: integrationId, isOwnAddress: true as const }];
  const sender = await verifySender({ ...partsOf(request), raw, lookUps, sightings: receiver.sightings });
  if (!payload) throw new AppError('invalid_request', { message: 'A form must have the field `payload`.' });
  const { bytes, body } = parseInboundJson(payload, scan);
  const name = headerOf(request, 'x-github-event');
  if (name === undefined) throw new AppError('invalid_request', { message: 'X-GitHub-Event is required.' });
  const received = receivedEvent(name, body);
  if (!received) return receiver.onReceipt?.('sourcehost', 'ignored');
  await store(receiver, sender, { ...received, bytes, deliveryId: headerOf(request, 'x-github-delivery') });
}

const nothing = Buffer.alloc(0);
const owners = wantedTexts('organization.login', 'repository.owner.login', 'installation.account.login');

/** Logins of the organisation, of the repository's owner and of the account that installed an app, in lower case. */
const loginsOf = (found: ReadonlyMap<string, string>): string[] => [
  ...new Set([...found.values()].map((login) => login.toLowerCase())),
];

type FollowedEvent = { event: string; externalId: string; bytes: Buffer; deliveryId: string | undefined };

async function store(receiver: Receiver, sender: Sender, followed: FollowedEvent): Promise<void> {
  const { event, externalId, bytes, deliveryId } = followed;
  const receipt = {
    ...sender,
    id: newId('inboundEvent'),
    source: 'sourcehost' as const,
    event,
    externalId,
    dedupeKey: sourceHostDedupeKey(deliveryId),
    body: bytes,
    receivedAt: receiver.clock.now(),
    status: 'received' as const,
    traceparent: currentTraceparent(),
  };
  const outcome = await receiver.gather(insertInboundEvents, receipt, bytes.length);
  receiver.onReceipt?.('sourcehost', outcome);
}
