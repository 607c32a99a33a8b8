import { LRUCache } from 'lru-cache';

const repeatAfterMs = 10_000;

/** Makes warnings and errors of the apps readable: one line each, repeated ones counted instead of shown. */
export function createAlerts(write: (line: string) => void) {
  const seen = new LRUCache<string, { count: number; shownAt: number }>({ max: 500 });
  return (name: string, line: string, now = performance.now()): void => {
    const readable = readAlert(name, line);
    if (readable === '') return;
    const before = seen.get(readable);
    if (before && now - before.shownAt < repeatAfterMs) {
      before.count += 1;
      return;
    }
    seen.set(readable, { count: 0, shownAt: now });
    write(before && before.count > 0 ? `${readable} (${before.count} more before)` : readable);
  };
}

/** Why an app ended: the last line that names an error, else the last one. A crash ends with Node's version. */
export function createLastErrors() {
  const errors = new Map<string, string>();
  const lines = new Map<string, string>();
  return {
    add(name: string, line: string): void {
      const readable = readAlert(name, line);
      if (readable === '') return;
      lines.set(name, readable);
      if (parse(line) || /^(?:Uncaught )?\w*Error\b/.test(line)) errors.set(name, readable);
    },
    of: (name: string): string | undefined => errors.get(name) ?? lines.get(name),
  };
}

/** "webhook-dispatcher warn: queue away (connection refused)". Lines that are no log lines stay as they are. */
export function readAlert(name: string, line: string): string {
  const entry = parse(line);
  if (!entry) return line.trim() === '' ? '' : `${name}: ${line}`;
  const { level, msg, err } = entry;
  const reason = err?.message || err?.code;
  return `${name} ${level ?? 'error'}: ${msg ?? ''}${reason ? ` (${reason})` : ''}`;
}

type Entry = { level?: string; msg?: string; err?: { message?: string; code?: string } };

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}
