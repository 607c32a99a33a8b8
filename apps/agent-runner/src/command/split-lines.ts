/** Longest line that is read, in bytes: the largest body that the service takes. */
const maxLineBytes = 1_048_576;

const newline = 0x0a;

/** The lines of a stream of bytes, without their ends. A longer line than `maxBytes` is cut there. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes = maxLineBytes): AsyncGenerator<string> {
  let kept: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    const room = maxBytes - length;
    if (room <= 0) return;
    kept.push(part.length > room ? part.subarray(0, room) : part);
    length += Math.min(part.length, room);
  };
  const take = () => {
    const line = Buffer.concat(kept).toString('utf8').replace(/\r$/, '');
    kept = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      yield take();
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield take();
}
