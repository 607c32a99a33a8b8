import { anyOf, pause, type World } from './world.ts';

/** Ids of the events that a reader got, in its order. */
export type Reading = { name: string; ids: string[] };

/** It has read everything, or it is no longer awaited. */
const hasEnded = ({ ids }: Reading, { phase, lastEventId }: World) =>
  phase === 'closed' || (lastEventId !== undefined && ids.includes(lastEventId));

type Source = { baseUrls: readonly string[]; apiKey: string };

/** Reads what came after the last event again and again, as a program does that polls. */
export async function pollEvents(world: World): Promise<Reading> {
  const reading: Reading = { name: 'GET /v1/events', ids: [] };
  let after = '';
  for (; !hasEnded(reading, world); await pause(50)) {
    const { status, body } = await world.client.get(`/v1/events?sort=event_id&limit=100&after=${after}`);
    if (status !== 200) world.violations.push(`events: ${status} ${JSON.stringify(body)}`);
    if (status !== 200) break;
    for (const { event_id: id } of body.data) reading.ids.push(id);
    after = body.data.at(-1)?.event_id ?? after;
  }
  return reading;
}

/** Follows the stream of events; whenever it breaks, it goes on at any gateway from the last id. */
export async function followEvents(world: World, { baseUrls, apiKey }: Source): Promise<Reading> {
  const reading: Reading = { name: 'GET /v1/events/stream', ids: [] };
  let position = '0';
  while (!hasEnded(reading, world)) {
    const over = new AbortController();
    const timer = setInterval(() => {
      // Cut by the client now and then, too.
      if (hasEnded(reading, world) || Math.random() < 0.02) over.abort();
    }, 200);
    try {
      const headers = { 'x-api-key': apiKey, 'last-event-id': position };
      const response = await fetch(`${anyOf(baseUrls)}/v1/events/stream`, { headers, signal: over.signal });
      if (!response.ok || !response.body) throw new Error(`${response.status}`);
      let text = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) position = takeFrame(reading, frame) ?? position;
      }
    } catch {
      await pause(100);
    } finally {
      clearInterval(timer);
    }
  }
  return reading;
}

/** The position that the frame gives, if any. */
function takeFrame({ ids }: Reading, frame: string): string | undefined {
  const data = /^data: (.*)$/m.exec(frame)?.[1];
  if (data) ids.push((JSON.parse(data) as { event_id: string }).event_id);
  return /^id: (.*)$/m.exec(frame)?.[1];
}
