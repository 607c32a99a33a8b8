import type { IncomingMessage } from 'node:http';
import { AppError } from '@eas/core';

/** Largest body of the REST API, in bytes. */
export const maxRestBodyBytes = 1_048_576;
/** Largest body of a webhook, in bytes. */
export const maxReceiverBodyBytes = 5_242_880;

const nothing = Buffer.alloc(0);

/**
 * Reads the whole body. Throws 413 over `maxBytes`; cuts the connection when nothing comes for `stallMs`.
 * After a 413 the rest is read and thrown away for `stallMs`, so that the client gets to see the answer.
 */
export function readBody(request: IncomingMessage, maxBytes: number, stallMs = 15_000): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared === undefined ? request.headers['transfer-encoding'] === undefined : declared === '0')
    return Promise.resolve(nothing);
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

/** Throws 415 for a named content type that is no JSON, and for any content encoding. */
export function requireJson(request: IncomingMessage): void {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  const isPlain = encoding === undefined || encoding === 'identity';
  if (isPlain && (type === undefined || type.trim() === '' || jsonType.test(type))) return;
  const message = isPlain ? 'The body must be application/json.' : 'The body must not be compressed.';
  const field = isPlain ? 'Content-Type' : 'Content-Encoding';
  throw new AppError('invalid_request', { status: 415, message, field, constraint: 'format' });
}
