import type { IncomingMessage } from 'node:http';

/** How long nothing may come of a body before its connection is cut. */
export const defaultStallMs = 15_000;

/** Whether a body follows the headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Cuts the connection when nothing of a body comes for `stallMs`, or at most a fifth longer. It only watches the
 * socket: the body itself is for somebody else to read.
 */
export function cutWhenStalled(request: IncomingMessage, stallMs = defaultStallMs): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  let { bytesRead } = socket;
  let quietSinceMs = performance.now();
  const look = setInterval(() => {
    const nowMs = performance.now();
    if (request.complete) clearInterval(look);
    else if (socket.bytesRead !== bytesRead) [bytesRead, quietSinceMs] = [socket.bytesRead, nowMs];
    else if (nowMs - quietSinceMs >= stallMs) request.destroy();
  }, stallMs / 5);
  request.once('close', () => clearInterval(look));
}
