import { type FuzzTarget, unlessRefused } from '@eas/testing/fuzz';
import { readPairs } from './pairs.ts';

const rules = {
  known: new Set(['limit', 'after', 'status', 'tag']),
  lists: new Set(['tag']),
  code: 'invalid_request',
  source: 'query',
  noun: 'query parameter',
  isIgnored: () => true,
} as const;

export const fuzz: FuzzTarget = {
  name: 'queries and forms',
  corpus: ['limit=20&after=v1.abc', 'tag=a&tag=b%20c&status=+open', 'status=%E2%82%AC&x=1'],
  check(input) {
    const text = input.toString('latin1');
    if (/[^\x20-\x7e]/.test(text)) return;
    const values = unlessRefused(() => readPairs(text, rules));
    if (!values) return;
    // It drops a question mark at the start.
    const expected = new URLSearchParams(`&${text}`);
    for (const name of rules.known) {
      const wanted = rules.lists.has(name) ? expected.getAll(name) : [expected.get(name)];
      const got = rules.lists.has(name) ? ((values[name] ?? []) as unknown[]) : [values[name] ?? null];
      if (JSON.stringify(got) !== JSON.stringify(wanted))
        throw new Error(`${name} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
    }
  },
};
