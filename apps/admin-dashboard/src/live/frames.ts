/** What a page needs of an event: its type, and the position in the stream. */
export type LiveEvent = { type: string; data: unknown };

/** Parses text/event-stream from chunks. `onPosition` gets each id, also those of heartbeats. */
export function createFrameReader(onEvent: (event: LiveEvent) => void, onPosition: (id: string) => void) {
  let rest = '';
  let type = '';
  let data: string[] = [];

  function readLine(line: string): void {
    if (line === '') {
      if (type !== '') onEvent({ type, data: parse(data.join('\n')) });
      type = '';
      data = [];
    } else if (line.startsWith('id: ')) onPosition(line.slice(4));
    else if (line.startsWith('event: ')) type = line.slice(7);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }

  return (piece: string): void => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(readLine);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
