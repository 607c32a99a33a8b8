import { setTimeout as sleep } from 'node:timers/promises';

/** Every page of a session holds a stream, and a gateway allows a session 10. */
const pagesOfSession = 10;

export type IdlePages = { reads: () => number; close(): void };

/** `count` pages as the gateway sees them: each holds a stream, and reads `paths` once for the events of 0.4 s. */
export async function openPages(
  url: string,
  { count, paths, signIn }: { count: number; paths: readonly string[]; signIn: () => Promise<string> },
): Promise<IdlePages> {
  const ending = new AbortController();
  let reads = 0;
  let cookie = '';
  async function readAgain(headers: Record<string, string>): Promise<void> {
    await Promise.all(
      paths.map(async (path) => {
        const response = await fetch(url + path, { headers, signal: ending.signal });
        await response.arrayBuffer();
        reads += 1;
      }),
    );
  }
  async function follow(headers: Record<string, string>): Promise<void> {
    const response = await fetch(`${url}/v1/events/stream`, { headers, signal: ending.signal });
    if (!response.ok || !response.body) throw new Error(`stream: ${response.status}`);
    void forEachEvent(response.body, () => void readAgain(headers).catch(() => {})).catch(() => {});
  }
  for (let page = 0; page < count; page += 1) {
    if (page % pagesOfSession === 0) cookie = await signIn();
    await follow({ cookie });
  }
  return { reads: () => reads, close: () => ending.abort() };
}

/** Calls `work` for the first of the events of 0.4 s. */
async function forEachEvent(body: ReadableStream<Uint8Array>, work: () => void): Promise<void> {
  let isResting = false;
  for await (const part of body) {
    if (isResting || !Buffer.from(part).includes('\ndata:')) continue;
    isResting = true;
    work();
    void sleep(400).then(() => (isResting = false));
  }
}
