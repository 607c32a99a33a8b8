import { AppError, jsonLimits, type Logger, scanJson, type SecretBox, wantedTexts } from '@eas/core';
import { createContext, type Database } from '@eas/db';
import { findOfAddress, findOfChat } from '../../receiving/candidate.read-model.ts';
import { type Candidates, createCandidates } from '../../receiving/candidates.ts';
import { parseInboundJson } from '../../receiving/inbound-json.ts';
import { headerOf, type InboundRequest, type Receiver } from '../../receiving/receiver.ts';
import { payloadOf } from '../../receiving/source-host-payload.ts';
import { type LookUp, verifySender } from '../../receiving/verify-sender.ts';
import { targetOfBlock } from '../templates/question-message.ts';
import { answerByClick, clickPayload } from './answer-by-click.ts';
import { chatSignatureOf, signedBytes } from './chat-request-signature.ts';

/** What receiving clicks needs, with its cache of opened secrets. */
export type ChatReceiver = Pick<Receiver, 'clock' | 'sightings' | 'onReceipt'> & {
  database: Database;
  secrets: SecretBox;
  logger: Logger;
  candidates: { ofAddress: Candidates; ofChat: Candidates };
};

type ChatReceiverParts = { database: Database; secrets: SecretBox; logger: Logger; receiver: Receiver };

/** For the life of the process. What is seen goes where `receiver` collects it. */
export function createChatReceiver({ receiver, ...parts }: ChatReceiverParts): ChatReceiver {
  const { clock, sightings, onReceipt } = receiver;
  const { database, secrets, logger } = parts;
  const candidatesOf = (find: typeof findOfChat) =>
    createCandidates((keys) => find(database, keys), { secrets, clock, logger }, 'signing_secret');
  const candidates = { ofAddress: candidatesOf(findOfAddress('slack')), ofChat: candidatesOf(findOfChat) };
  return { ...parts, clock, sightings, onReceipt, candidates };
}

type ChatRequest = Pick<InboundRequest, 'raw' | 'headers' | 'integrationId'>;

/** Throws AppError forbidden for a request whose signature cannot be valid, whatever its body is. */
export function admitChatRequest({ clock }: ChatReceiver, head: Pick<ChatRequest, 'headers'>): void {
  chatSignatureOf(head, clock.now());
}

/**
 * Takes what a chat workspace sends: a click on a button answers its input; a check of the address gets its challenge
 * back. Anything else that is signed is acknowledged and ignored. Throws forbidden when no secret verifies,
 * invalid_request for a misfit.
 */
export async function receiveChatRequest(
  receiver: ChatReceiver,
  request: ChatRequest,
): Promise<{ challenge?: string }> {
  const { raw } = request;
  const { digest, timestamp } = chatSignatureOf(request, receiver.clock.now());
  const payload = payloadOf(raw, headerOf(request, 'content-type'));
  const scan = scanJson(payload ?? nothing, jsonLimits, clicked);
  const sender = await verifySender({
    raw: signedBytes(timestamp, raw),
    signature: digest,
    lookUps: lookUpsOf(receiver, request.integrationId, scan.found.get(blockId)),
    takesUnsigned: false,
    sightings: receiver.sightings,
  });
  if (!payload) return ignore(receiver, isSslCheck(raw));
  const { body } = parseInboundJson(payload, scan);
  const { type, challenge } = body;
  if (type === 'url_verification' && typeof challenge === 'string') return { challenge: challenge.slice(0, 1_024) };
  const parsed = clickPayload.safeParse(body);
  if (!parsed.success) return ignore(receiver, type !== 'block_actions');
  const ctx = createContext(receiver, { tenantId: sender.tenantId, actor: { id: sender.integrationRef } });
  const click = { integrationId: sender.integrationRef, signature: digest, payload: parsed.data };
  receiver.onReceipt?.('chat', await answerByClick(ctx, click));
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
