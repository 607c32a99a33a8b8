import { headerOf, type InboundRequest } from '@eas/receiving';

/** A request that is older, or from later, may be a recorded one. */
const maxAgeSeconds = 300;

/** What a request of the chat says of its signature: the digest in hex, and the moment that is signed with the body. */
export type ChatSignature = { digest: string; timestamp: string };

/** Why a request has no effect that asks for one. Few, so that they can be counted. */
export type ChatRefusal =
  'unsigned' | 'timestamp' | 'signature' | 'unknown_integration' | 'malformed' | 'repeated' | 'not_ours';

/** Refuses a signature or timestamp that is missing, malformed or not of now. */
export function chatSignatureOf(
  head: Pick<InboundRequest, 'headers'>,
  now: Date,
): ChatSignature | Extract<ChatRefusal, 'unsigned' | 'timestamp' | 'signature'> {
  const signature = headerOf(head, 'x-slack-signature');
  const timestamp = headerOf(head, 'x-slack-request-timestamp');
  if (signature === undefined || timestamp === undefined) return 'unsigned';
  const digest = /^v0=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (digest === undefined || !/^\d{1,12}$/.test(timestamp)) return 'signature';
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  return ageSeconds > maxAgeSeconds ? 'timestamp' : { digest, timestamp };
}

/** The bytes that are signed. */
export const signedBytes = (timestamp: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`v0:${timestamp}:`), raw]);
