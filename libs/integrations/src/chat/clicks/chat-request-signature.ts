import { AppError } from '@eas/core';
import { headerOf, type InboundRequest } from '../../receiving/receiver.ts';

/** A request that is older, or from later, may be a recorded one. */
const maxAgeSeconds = 300;

/** What a request of the chat says of its signature: the digest in hex, and the moment that is signed with the body. */
export type ChatSignature = { digest: string; timestamp: string };

/** Throws AppError forbidden for a signature or timestamp that is missing, malformed or not of now. */
export function chatSignatureOf(head: Pick<InboundRequest, 'headers'>, now: Date): ChatSignature {
  const digest = /^v0=([0-9a-f]{64})$/.exec(headerOf(head, 'x-slack-signature') ?? '')?.[1];
  const timestamp = headerOf(head, 'x-slack-request-timestamp') ?? '';
  if (digest === undefined || !/^\d{1,12}$/.test(timestamp)) throw refused('required: v0=<hex>, and its timestamp');
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (ageSeconds > maxAgeSeconds) throw refused('too old: its timestamp must be at most 5 minutes from now');
  return { digest, timestamp };
}

const refused = (rule: string) => new AppError('forbidden', { message: `The signature of the request is ${rule}.` });

/** The bytes that are signed. */
export const signedBytes = (timestamp: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`v0:${timestamp}:`), raw]);
