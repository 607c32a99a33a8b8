/** The last lines of a stream: `maxLines`, none longer than 500 characters. */
export function lastLines(maxLines = 20): { add(line: string): void; lines(): string[] } {
  const kept: string[] = [];
  return {
    add(line) {
      if (line === '' || line.trim() === '') return;
      kept.push(line.slice(0, 500));
      if (kept.length > maxLines) kept.shift();
    },
    lines: () => [...kept],
  };
}
