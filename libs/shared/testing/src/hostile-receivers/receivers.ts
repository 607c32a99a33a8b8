import { gzipSync } from 'node:zlib';
import type { FailureReason } from '@eas/egress';
import { type Behaviour, dripping, flooding, httpOk, onRequest, replying, speakingFirst } from './behaviour.ts';

/** How a request to it must end: with a failure of that class, or with a response. */
export type HostileEnd = FailureReason | { status: number; isBodyCut: boolean };

export type HostileKind = {
  name: string;
  behave: Behaviour;
  /** Any of these. */
  ends: HostileEnd[];
  scheme?: 'http' | 'https';
  /** A name that `resolveHostile` knows; 127.0.0.1 without it. */
  hostname?: string;
};

const whole = (status: number): HostileEnd => ({ status, isBodyCut: false });
const cut: HostileEnd = { status: 200, isBodyCut: true };
const ok = `${httpOk}content-length: 2\r\n\r\nok`;
const closing = `${httpOk}connection: close\r\ncontent-length: 2\r\n\r\nok`;
const chunked = `${httpOk}transfer-encoding: chunked\r\n\r\n`;
const kilobyte = 'x'.repeat(1_024);
const slowMs = 50;

const whileConnecting: HostileKind[] = [
  { name: 'no-handshake', scheme: 'https', behave: (socket) => socket.resume(), ends: ['timeout_connect'] },
  { name: 'tls-junk', scheme: 'https', behave: speakingFirst(kilobyte), ends: ['tls'] },
  { name: 'http-on-tls-port', scheme: 'https', behave: speakingFirst(ok), ends: ['tls'] },
  { name: 'name-never-resolved', hostname: 'hanging.test', behave: replying(ok), ends: ['timeout_connect'] },
  { name: 'name-of-a-private-address', hostname: 'private.test', behave: replying(ok), ends: ['blocked_target'] },
  // Allowed at one look-up, private at the next.
  {
    name: 'name-that-changes',
    hostname: 'flipping.test',
    behave: replying(closing),
    ends: [whole(200), 'blocked_target'],
  },
];

const beforeHeaders: HostileKind[] = [
  { name: 'silent', behave: (socket) => socket.resume(), ends: ['timeout_headers'] },
  { name: 'slow-headers', behave: dripping(httpOk, 'x: y\r\n', slowMs), ends: ['timeout_headers'] },
  { name: 'headers-without-end', behave: replying(`${httpOk}x: y\r\n`), ends: ['timeout_headers'] },
  { name: 'endless-status-line', behave: dripping('HTTP/1.1 200 ', kilobyte, slowMs), ends: ['timeout_headers'] },
  { name: 'status-line-flood', behave: flooding('HTTP/1.1 200 ', kilobyte), ends: ['protocol'] },
  { name: 'header-flood', behave: flooding(httpOk, `x: ${kilobyte}\r\n`), ends: ['protocol'] },
  { name: 'endless-header', behave: flooding(`${httpOk}x: `, kilobyte), ends: ['protocol'] },
  { name: 'interim-flood', behave: flooding('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), ends: ['protocol'] },
  {
    name: 'slow-interim',
    behave: dripping('', 'HTTP/1.1 102 Processing\r\n\r\n', 1_000),
    ends: ['timeout_headers', 'protocol'],
  },
  {
    name: 'switches-protocol',
    behave: replying('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
    ends: ['protocol'],
  },
  { name: 'not-http', behave: replying('SSH-2.0-OpenSSH_9.9\r\n'), ends: ['protocol'] },
  { name: 'speaks-first', behave: speakingFirst('220 mail ready\r\n'), ends: ['protocol', 'reset'] },
  {
    name: 'two-lengths',
    behave: replying(`${httpOk}content-length: 2\r\ncontent-length: 3\r\n\r\nok`),
    ends: ['protocol'],
  },
  { name: 'resets', behave: (socket) => onRequest(socket, () => socket.resetAndDestroy()), ends: ['reset'] },
  { name: 'hangs-up', behave: (socket) => onRequest(socket, () => socket.end()), ends: ['reset'] },
];

const inBody: HostileKind[] = [
  { name: 'slow-body', behave: dripping(`${httpOk}\r\n`, 'x', slowMs), ends: ['timeout_body'] },
  { name: 'stalled-body', behave: replying(`${httpOk}content-length: 9\r\n\r\nx`), ends: ['timeout_body'] },
  { name: 'endless-chunk-extension', behave: dripping(`${chunked}1;`, kilobyte, slowMs), ends: ['timeout_body'] },
  { name: 'chunk-extension-flood', behave: flooding(`${chunked}1;`, kilobyte), ends: ['protocol'] },
  { name: 'endless-body', behave: flooding(`${httpOk}\r\n`, kilobyte), ends: [cut] },
  { name: 'endless-chunks', behave: flooding(chunked, `400\r\n${kilobyte}\r\n`), ends: [cut] },
  { name: 'trailer-flood', behave: flooding(`${chunked}0\r\n`, `x: ${kilobyte}\r\n`), ends: ['protocol'] },
  { name: 'gzip-bomb', behave: (socket) => replying(gzipBomb())(socket), ends: [cut] },
  {
    name: 'resets-in-body',
    behave: (socket) =>
      onRequest(socket, () => socket.write(`${httpOk}content-length: 9\r\n\r\nx`, () => socket.resetAndDestroy())),
    ends: ['reset'],
  },
  { name: 'body-shorter-than-declared', behave: endingWith(`${httpOk}content-length: 9\r\n\r\nx`), ends: ['reset'] },
  { name: 'chunks-without-end', behave: endingWith(`${chunked}1\r\nx\r\n`), ends: ['reset'] },
  { name: 'body-longer-than-declared', behave: replying(`${ok}HTTP/1.1 500 Poison\r\n\r\n`), ends: [whole(200)] },
  { name: 'redirects-inside', behave: replying(redirectTo('http://169.254.169.254/latest/')), ends: [whole(307)] },
  // The second request on a connection finds it closed.
  {
    name: 'closes-when-reused',
    behave: (socket) => onRequest(socket, (number) => (number === 1 ? socket.write(ok) : socket.resetAndDestroy())),
    ends: [whole(200)],
  },
];

export const hostileKinds: readonly HostileKind[] = [...whileConnecting, ...beforeHeaders, ...inBody];

let packed: Buffer | undefined;

/** 64 MiB of zeros in 64 KiB, packed when it is first needed. */
function gzipBomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(64 * 1_024 * 1_024));
  const head = `${httpOk}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), packed]);
}

function redirectTo(location: string): string {
  return `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
}

function endingWith(text: string): Behaviour {
  return (socket) => onRequest(socket, () => socket.end(text));
}
