import type { IncomingMessage } from 'node:http';
import { AppError } from '@eas/core';
import { defaultStallMs, hasBody } from './stall-guard.ts';

/** Largest body of the REST API, in bytes. */
export const maxRestBodyBytes = 1_048_576;
/** Largest form of a page, and largest body that somebody unknown may have parsed, in bytes. */
export const maxSmallBytes = 65_536;
/** Largest body of a webhook, in bytes. */
export const maxReceiverBodyBytes = 5_242_880;

const nothing = Buffer.alloc(0);

/**
 * Reads the whole body. Throws 413 over `maxBytes`; cuts the connection when nothing comes for `stallMs`.
 * After a 413 the rest is read and thrown away for `stallMs`, so that the client gets to see the answer.
 */
export function readBody(request: IncomingMessage, maxBytes: number, stallMs = defaultStallMs): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(nothing);
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > maxBytes)
    return Promise.reject(tooLarge(request, maxBytes, stallMs));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stall = setTimeout(() => request.destroy(), stallMs);
    const stop = () => {
      clearTimeout(stall);
      request.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
    };
    function onData(chunk: Buffer): void {
      length += chunk.length;
      if (length > maxBytes) {
        stop();
        reject(tooLarge(request, maxBytes, stallMs));
        return;
      }
      chunks.push(chunk);
      stall.refresh();
    }
    function onEnd(): void {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    }
    function onCut(): void {
      stop();
      reject(new ClientGone());
    }
    request.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
  });
}

/** The client ended the connection, or was cut, before its request was complete: nobody reads an answer. */
export class ClientGone extends Error {}

function tooLarge(request: IncomingMessage, maxBytes: number, drainMs: number): AppError {
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, drainMs).unref();
  return new AppError('invalid_request', {
    status: 413,
    message: `The body is larger than ${maxBytes} bytes.`,
    field: 'body',
    constraint: 'max_size',
  });
}

const jsonType = /^\s*(?:application|text)\/(?:[a-z0-9.+_-]+\+)?json\s*(?:;|$)/i;
const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Throws 415 for a named content type that is no JSON, and for any content encoding. */
export function requireJson(request: IncomingMessage): void {
  const { 'content-type': type } = request.headers;
  if (type !== undefined && type.trim() !== '' && !jsonType.test(type)) throw otherType('application/json');
  requirePlain(request);
}

/** Throws 415 for any content type but the one of HTML forms, and for any content encoding. */
export function requireForm(request: IncomingMessage): void {
  if (!formType.test(request.headers['content-type'] ?? '')) throw otherType('application/x-www-form-urlencoded');
  requirePlain(request);
}

function requirePlain({ headers: { 'content-encoding': encoding } }: IncomingMessage): void {
  if (encoding !== undefined && encoding !== 'identity')
    throw unsupported('The body must not be compressed.', 'Content-Encoding');
}

const otherType = (type: string) => unsupported(`The body must be ${type}.`, 'Content-Type');

function unsupported(message: string, field: string): AppError {
  return new AppError('invalid_request', { status: 415, message, field, constraint: 'format' });
}
