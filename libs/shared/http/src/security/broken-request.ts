import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@eas/core';
import { respondToError } from '../routes/error-response.ts';
import { requestIdOf } from '../reading/request-id.ts';
import { apiHeaders } from './security-headers.ts';

const headers = apiHeaders();
/** How long a client may go on sending before its connection is cut. */
const lingerMs = 1_000;

/** Responds with the REST envelope to requests that Node's parser refused or timed out, and ends the connection. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The rest of a request that already has its response fails again.
  if (socket.writableEnded) return;
  // Node is sending a response there: another one after its first bytes would corrupt it.
  const { _httpMessage: inHand } = socket as { _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || inHand?.headersSent) return void socket.destroy();
  const requestId = requestIdOf(undefined);
  const { status, body } = respondToError(problemOf(error.code), 'rest', requestId);
  const text = JSON.stringify(body);
  const head = {
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'));
  // Closing at once, with unread bytes, could lose the response before the client has read it.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function problemOf(code: string | undefined): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('invalid_request', { status: 431, message: 'The request headers are too large.' });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('invalid_request', { status: 413, message: 'The chunk extensions are too large.' });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('invalid_request', { status: 408, message: 'The request did not arrive in time.' });
    default:
      return new AppError('invalid_request', { message: 'The request is not valid HTTP.' });
  }
}
