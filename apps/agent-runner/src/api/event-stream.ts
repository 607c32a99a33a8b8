import { createParser, type EventSourceMessage } from 'eventsource-parser';

export type StreamEvent = { id?: string | undefined; data: string };

type StreamParts = { url: string; apiKey: string; lastId: string | undefined };

/** The events of a stream until it ends. Throws when it breaks off; a refusal is given to `refuse`. */
export async function* readEvents(
  { url, apiKey, lastId }: StreamParts,
  refuse: (response: Response) => Error,
): AsyncGenerator<StreamEvent> {
  const headers = {
    accept: 'text/event-stream',
    'x-api-key': apiKey,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  };
  const response = await fetch(url, { headers, redirect: 'error' });
  if (!response.ok) throw refuse(response);
  if (!response.body) return;
  const came: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void came.push(event) });
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const { id, data } of came.splice(0)) yield { id, data };
  }
}
