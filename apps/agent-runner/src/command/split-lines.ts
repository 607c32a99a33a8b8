/** Longest line that is read, in bytes: the largest body that the service takes. */
const maxLineBytes = 1_048_576;

const newline = 0x0a;

/**
 * The lines of a stream of bytes, without line ends, in batches as they arrive. A line longer than `maxBytes` is cut
 * there.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes = maxLineBytes): AsyncGenerator<string[]> {
  let kept: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    const left = maxBytes - length;
    if (left <= 0) return;
    kept.push(part.length > left ? part.subarray(0, left) : part);
    length += Math.min(part.length, left);
  };
  const take = () => {
    const line = textOf(Buffer.concat(kept));
    kept = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      if (length === 0 && at - from <= maxBytes) lines.push(textOf(chunk.subarray(from, at)));
      else {
        keep(chunk.subarray(from, at));
        lines.push(take());
      }
      from = at + 1;
    }
    keep(chunk.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [take()];
}

const textOf = (bytes: Buffer) => bytes.toString('utf8').replace(/\r$/, '');
