import type { FuzzTarget } from '@eas/testing/fuzz';
import { payloadOf } from './form-payload.ts';

const type = 'application/x-www-form-urlencoded';

export const fuzz: FuzzTarget = {
  name: 'form bodies',
  corpus: [
    'payload=%7B%22a%22%3A1%7D',
    'x=1&payload=a+b%20c&y=',
    'payload=%zz%e2%82%ac&payload=2',
    'payload&payload=2',
    '{"a":1}',
  ],
  check(input) {
    const payload = payloadOf(input, type);
    if (input[0] === '{'.charCodeAt(0)) return;
    // The platform's own reader knows text alone.
    const text = input.toString('latin1');
    if (/[^\x20-\x7e]/.test(text) || /(^|&)[^=&]*%/.test(text)) return;
    // A name without "=" has no value to read, and is skipped.
    const fields = text.split('&').filter((field) => field.includes('='));
    const expected = new URLSearchParams(fields.join('&')).get('payload');
    if (payload !== undefined && /(^|&)payload=/.test(text) && payload.toString() !== expected)
      throw new Error(`read as ${JSON.stringify(payload.toString())}, not ${JSON.stringify(expected)}`);
    if (payload === undefined && expected !== null && /(^|&)payload=/.test(text)) throw new Error('not found');
  },
};
