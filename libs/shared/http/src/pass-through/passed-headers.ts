import type { IncomingMessage } from 'node:http';
import { gatewayHeaders } from './gateway-proof.ts';

/** Headers of one connection or of the framing of a body: each hop has its own. */
const ownOfEachHop = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
  ...gatewayHeaders,
]);

/** The sender's headers for the next hop, as names and values in turn: without those of this hop, and with its Host. */
export function passedHeaders({ rawHeaders, headers, url = '' }: IncomingMessage): string[] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const passed = ['host', hostOf(url) ?? headers.host ?? ''];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (!ownOfEachHop.has(lower) && !named.has(lower)) passed.push(name, value);
  }
  return passed;
}

/** The host of a whole address as the target, which counts instead of the header (RFC 9112, 3.2.2). */
const hostOf = (target: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
