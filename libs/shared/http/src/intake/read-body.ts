import type { IncomingMessage } from 'node:http';
import { AppError } from '@eas/core';
import type { WatchedBody } from './intake.ts';

/** Largest body of the REST API, in bytes. */
export const maxRestBodyBytes = 1_048_576;
/** Largest form of a page, and largest body of an unauthenticated caller, in bytes. */
export const maxSmallBytes = 65_536;
/** Largest body of a webhook, in bytes. */
export const maxReceiverBodyBytes = 5_242_880;

/** Whether a body follows the headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Reads the whole body. Throws 413 over `maxBytes`, the error of a cut, or ClientGone. */
export function readBody(request: IncomingMessage, maxBytes: number, watched: WatchedBody): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const bytes = createByteCollector();
    const stop = () => request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    const refuse = (error: Error) => {
      stop();
      reject(error);
    };
    watched.onCut = refuse;
    function onData(chunk: Buffer): void {
      if (bytes.length + chunk.length > maxBytes) return refuse(tooLarge(maxBytes));
      bytes.add(chunk);
      watched.hold(chunk.length);
      watched.pace(chunk.length);
    }
    function onEnd(): void {
      stop();
      watched.finish();
      resolve(bytes.take());
    }
    const onGone = () => refuse(new ClientGone());
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Joins chunks as they arrive: a chunk of one byte stored by itself would take a hundred times its size. */
function createByteCollector() {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(chunk: Buffer): void {
      if (length === 0) buffer = chunk;
      else {
        if (length + chunk.length > buffer.length) {
          const larger = Buffer.allocUnsafeSlow(Math.max(4_096, 2 * (length + chunk.length)));
          buffer.copy(larger, 0, 0, length);
          buffer = larger;
        }
        chunk.copy(buffer, length);
      }
      length += chunk.length;
    },
    take: () => buffer.subarray(0, length),
  };
}

/** The client ended the connection, or was cut, before its request was complete: there is no reader of a response. */
export class ClientGone extends Error {}

function tooLarge(maxBytes: number): AppError {
  return new AppError('invalid_request', {
    status: 413,
    message: `The body must be at most ${maxBytes} bytes.`,
    field: 'body',
    constraint: 'max_size',
  });
}

const jsonType = /^\s*(?:application|text)\/(?:[a-z0-9.+_-]+\+)?json\s*(?:;|$)/i;
const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Throws 415 for a content type that is not JSON, and for any content encoding. */
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

const otherType = (type: string) => unsupported(`Content-Type must be ${type}.`, 'Content-Type');

function unsupported(message: string, field: string): AppError {
  return new AppError('invalid_request', { status: 415, message, field, constraint: 'format' });
}
