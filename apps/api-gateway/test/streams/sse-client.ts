import type { Json } from '../gateway.ts';

/** What a client got: an event, or what moved its position only. */
export type Received = { id: string; event: string; data: Json };

export type SseClient = {
  status: number;
  headers: Headers;
  received: Received[];
  comments: string[];
  /** What a browser would send as Last-Event-ID. */
  lastEventId(): string;
  isOpen(): boolean;
  /** Hangs up. */
  cut(): void;
  /** Resolves when the server ended the stream. */
  ended: Promise<void>;
};

/** A client by the rules of the HTML standard for event streams, as far as this service uses them. */
export async function openStream(url: string, headers: Record<string, string>): Promise<SseClient> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const received: Received[] = [];
  const comments: string[] = [];
  let lastEventId = headers['last-event-id'] ?? '';
  let isOpen = true;
  let id = lastEventId;
  let fields = { event: 'message', data: [] as string[] };

  function takeLine(line: string): void {
    if (line === '') {
      lastEventId = id;
      if (fields.data.length > 0)
        received.push({ id: lastEventId, event: fields.event, data: JSON.parse(fields.data.join('\n')) });
      fields = { event: 'message', data: [] };
      return;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === '') comments.push(value);
    if (name === 'id') id = value;
    if (name === 'event') fields.event = value;
    if (name === 'data') fields.data.push(value);
  }

  async function read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(takeLine);
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    } finally {
      isOpen = false;
    }
  }

  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (!isStream) await response.body?.cancel();
  return {
    status: response.status,
    headers: response.headers,
    received,
    comments,
    lastEventId: () => lastEventId,
    isOpen: () => isOpen,
    cut: () => abort.abort(),
    ended: isStream ? read() : Promise.resolve(),
  };
}
