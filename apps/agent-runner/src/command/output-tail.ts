/** The last bytes of an output, however much it is. Cut at the start of a line where there is one. */
export function createTail(maxBytes: number): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer[] = [];
  let length = 0;
  let isCut = false;
  const last = () => {
    const all = Buffer.concat(kept);
    isCut ||= all.length > maxBytes;
    return all.subarray(-maxBytes);
  };
  return {
    add(chunk) {
      kept.push(chunk);
      length += chunk.length;
      if (length <= 2 * maxBytes) return;
      // Copied, or a small part would keep the whole chunk that it is of.
      kept = [Buffer.from(last())];
      length = maxBytes;
    },
    text() {
      const text = last().toString('utf8');
      return isCut ? text.slice(text.indexOf('\n') + 1) : text;
    },
  };
}
