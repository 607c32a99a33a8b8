import { AppError, jsonLimits, type Logger, scanJson, type SecretBox, wantedTexts } from '@eas/core';
import { createContext, type Database } from '@eas/db';
import {
  type Candidate,
  type Candidates,
  createCandidates,
  findOfAddress,
  findOfChat,
  headerOf,
  type InboundRequest,
  type LookUp,
  parseInboundJson,
  payloadOf,
  type Receiver,
  type Sender,
  verifySender,
} from '@eas/receiving';
import { targetOfBlock } from '../templates/question-message.ts';
import { answerByClick, clickPayload } from './answer-by-click.ts';
import { type ChatRefusal, type ChatSignature, chatSignatureOf, signedBytes } from './chat-request-signature.ts';
import { createRefusalLog } from './refusal-log.ts';

/** What receiving clicks needs, with its cache of opened secrets. */
export type ChatReceiver = Pick<Receiver, 'clock' | 'sightings' | 'onReceipt'> & {
  database: Database;
  secrets: SecretBox;
  logger: Logger;
  candidates: { ofAddress: Candidates; ofChat: Candidates };
  /** Counts and logs a request that is refused, or has no effect because it is a repeated one or about nothing of ours. */
  refused: (reason: ChatRefusal, request: Pick<ChatRequest, 'integrationId'>) => void;
};

type ChatReceiverParts = {
  database: Database;
  secrets: SecretBox;
  logger: Logger;
  receiver: Receiver;
  /** Called with each request that is refused: why, for metrics. */
  onRefusal?: (reason: ChatRefusal) => void;
};

/** For the life of the process. What is seen goes where `receiver` collects it. */
export function createChatReceiver({ receiver, onRefusal, ...parts }: ChatReceiverParts): ChatReceiver {
  const { clock, sightings, onReceipt } = receiver;
  const { database, secrets, logger } = parts;
  const candidatesOf = (find: typeof findOfChat) =>
    createCandidates((keys) => find(database, keys), { secrets, clock, logger }, 'signing_secret');
  const candidates = { ofAddress: candidatesOf(findOfAddress('slack')), ofChat: candidatesOf(findOfChat) };
  const log = createRefusalLog({ clock, logger });
  const refused: ChatReceiver['refused'] = (reason, { integrationId }) => {
    onRefusal?.(reason);
    log(reason, integrationId);
  };
  return { ...parts, clock, sightings, onReceipt, candidates, refused };
}

type ChatRequest = Pick<InboundRequest, 'raw' | 'headers' | 'integrationId'>;

/** Throws AppError forbidden for a request whose signature cannot be valid, whatever its body is. */
export function admitChatRequest(receiver: ChatReceiver, head: Omit<ChatRequest, 'raw'>): void {
  signatureOf(receiver, head);
}

function signatureOf(receiver: ChatReceiver, head: Omit<ChatRequest, 'raw'>): ChatSignature {
  const signature = chatSignatureOf(head, receiver.clock.now());
  if (typeof signature !== 'string') return signature;
  receiver.refused(signature, head);
  const rule = signature === 'timestamp' ? tooOld : 'required: v0=<hex>, and its timestamp';
  throw new AppError('forbidden', { message: `The signature of the request is ${rule}.` });
}

const tooOld = 'too old: its timestamp must be at most 5 minutes from now';

/**
 * Takes what a chat workspace sends: a click on a button answers its input; a check of the address gets its challenge
 * back. Anything else that is signed is acknowledged and ignored. Throws forbidden when no secret verifies,
 * invalid_request for a misfit.
 */
export async function receiveChatRequest(
  receiver: ChatReceiver,
  request: ChatRequest,
): Promise<{ challenge?: string }> {
  const signature = signatureOf(receiver, request);
  const payload = payloadOf(request.raw, headerOf(request, 'content-type'));
  const scan = scanJson(payload ?? nothing, jsonLimits, clicked);
  const sender = await senderOf(receiver, request, { signature, block: scan.found.get(blockId) });
  try {
    if (!payload) return ignore(receiver, isSslCheck(request.raw));
    const { body } = parseInboundJson(payload, scan);
    return await take(receiver, request, { body, sender, signature: signature.digest });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') receiver.refused('malformed', request);
    throw error;
  }
}

type Signed = { signature: ChatSignature; block: string | undefined };

async function senderOf(receiver: ChatReceiver, request: ChatRequest, { signature, block }: Signed): Promise<Sender> {
  const { digest, timestamp } = signature;
  let isKnown = false;
  const watched = (candidates: readonly Candidate[]) => {
    isKnown ||= candidates.length > 0;
    return candidates;
  };
  const lookUps = lookUpsOf(receiver, request.integrationId, block).map((one) => ({
    ...one,
    in: {
      cached: async (key: string) => watched(await one.in.cached(key)),
      fresh: async (key: string) => watched(await one.in.fresh(key)),
    },
  }));
  const raw = signedBytes(timestamp, request.raw);
  const body = { raw, signature: digest, lookUps, takesUnsigned: false, sightings: receiver.sightings };
  return verifySender(body).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'forbidden')
      receiver.refused(isKnown ? 'signature' : 'unknown_integration', request);
    throw error;
  });
}

type Verified = { body: Record<string, unknown>; sender: Sender; signature: string };

async function take(
  receiver: ChatReceiver,
  request: ChatRequest,
  { body, sender, signature }: Verified,
): Promise<{ challenge?: string }> {
  const { type, challenge } = body;
  if (type === 'url_verification' && typeof challenge === 'string') return { challenge: challenge.slice(0, 1_024) };
  const parsed = clickPayload.safeParse(body);
  if (!parsed.success) return ignore(receiver, type !== 'block_actions');
  const ctx = createContext(receiver, { tenantId: sender.tenantId, actor: { id: sender.integrationRef } });
  const outcome = await answerByClick(ctx, { integrationId: sender.integrationRef, signature, payload: parsed.data });
  if (outcome === 'repeated' || outcome === 'not_ours') receiver.refused(outcome, request);
  receiver.onReceipt?.('chat', outcome === 'not_ours' ? 'ignored' : outcome);
  return {};
}

const nothing = Buffer.alloc(0);
const blockId = 'actions..block_id';
const clicked = wantedTexts(blockId);

/** Of the address of all, a button says whose it is: many integrations can have one secret. */
function lookUpsOf({ candidates }: ChatReceiver, own: string | undefined, block = ''): LookUp[] {
  if (own !== undefined) return [{ in: candidates.ofAddress, key: own, isOwnAddress: true }];
  const named = targetOfBlock(block)?.integrationId;
  if (named !== undefined) return [{ in: candidates.ofAddress, key: named }];
  return [{ in: candidates.ofChat, key: '' }];
}

const isSslCheck = (raw: Buffer): boolean => /(^|&)ssl_check=1(&|$)/.test(raw.subarray(0, 4_096).toString('latin1'));

function ignore({ onReceipt }: ChatReceiver, isKnown: boolean): Record<string, never> {
  if (!isKnown) throw new AppError('invalid_request', { message: 'The body must have the field `payload`.' });
  onReceipt?.('chat', 'ignored');
  return {};
}
