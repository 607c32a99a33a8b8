import { isHeaderText } from '@eas/contracts';
import { notSent, type OutboundRequest, type OutboundResult, type Send, userAgent } from '@eas/outbound';
import type { ChatContent } from '../templates/blocks.ts';

/** Where a message goes, with the secret that it takes there. */
export type ChatTarget =
  | { by: 'url'; url: string }
  | { by: 'token'; apiUrl: string; token: string; channel: string }
  /** Changes a message that was posted with the token. */
  | { by: 'update'; apiUrl: string; token: string; channel: string; ts: string }
  /** Changes the message on which somebody clicked. */
  | { by: 'response_url'; url: string };

/** Hosts where the chat may ask for changes of its messages: the address comes with a request. */
const responseHosts = /(^|\.)slack\.com$/;

/** Whether a click's address may be called: https on a host of the chat, or the host that the API is configured on. */
export function isResponseUrl(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url) || url.length > 2_048) return false;
  const { protocol, hostname, origin } = new URL(url);
  return origin === new URL(apiUrl).origin || (protocol === 'https:' && responseHosts.test(hostname));
}

/** Sends a message, unless its token is one that no request can have: such tokens are refused now, older ones were not. */
export async function sendMessage(
  send: Send,
  target: ChatTarget,
  { message, signal }: { message: ChatContent; signal: AbortSignal },
): Promise<OutboundResult> {
  if ('token' in target && !isHeaderText(target.token)) return notSent('token_unusable', 'the token cannot be sent');
  return send(chatRequest(target, message, signal));
}

function chatRequest(target: ChatTarget, { text, blocks }: ChatContent, signal: AbortSignal): OutboundRequest {
  switch (target.by) {
    case 'url':
      return post(target.url, { text, blocks }, signal);
    case 'response_url':
      return post(target.url, { replace_original: true, text, blocks }, signal);
    case 'token': {
      const { apiUrl, token, channel } = target;
      const body = { channel, text, blocks, unfurl_links: false, unfurl_media: false };
      return post(`${apiUrl}/chat.postMessage`, body, signal, token);
    }
    case 'update': {
      const { apiUrl, token, channel, ts } = target;
      return post(`${apiUrl}/chat.update`, { channel, ts, text, blocks }, signal, token);
    }
  }
}

function post(url: string, body: object, signal: AbortSignal, token?: string): OutboundRequest {
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': userAgent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(JSON.stringify(body)),
    signal,
  };
}
