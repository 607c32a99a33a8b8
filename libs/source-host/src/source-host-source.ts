import { AppError, wantedTexts } from '@eas/core';
import { digest, headerOf, type Source } from '@eas/receiving';
import { receivedEvent } from './pull-requests/source-host-event.ts';

/** What is followed is stored; every other verified body is ignored. */
export const sourceHostSource: Source = {
  name: 'sourcehost',
  type: 'github',
  signatureOf: (head) => headerOf(head, 'x-hub-signature-256')?.replace(/^sha256=/, ''),
  takesForms: true,
  wanted: wantedTexts('organization.login', 'repository.owner.login', 'installation.account.login'),
  /** By logins of the organisation, of the repository's owner and of the account that installed an app, in lower case. */
  lookUpsOf({ byOwner }, found) {
    const logins = new Set([...found.values()].map((login) => login.toLowerCase()));
    return [...logins].map((key) => ({ in: byOwner, key }));
  },
  read({ body }, head) {
    const name = headerOf(head, 'x-github-event');
    if (name === undefined) throw new AppError('invalid_request', { message: 'X-GitHub-Event is required.' });
    const received = receivedEvent(name, body);
    return received && { ...received, dedupeKey: dedupeKeyOf(headerOf(head, 'x-github-delivery')), status: 'received' };
  },
};

/** The source host names each delivery. */
const dedupeKeyOf = (deliveryId: string | undefined): string | null =>
  deliveryId === undefined ? null : digest([deliveryId]);
