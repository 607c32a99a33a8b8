import type { Readable } from 'node:stream';

/**
 * Reads at most `maxBytes` of a body. A longer one is cut there and its connection destroyed; a shorter one is read to
 * its end, so that the connection can serve again. Rejects when the body breaks off.
 */
export async function readCapped(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
