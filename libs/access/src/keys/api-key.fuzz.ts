import type { FuzzTarget } from '@eas/testing/fuzz';
import { generateApiKey, isPlausibleKey } from './api-key.ts';

const made = Array.from({ length: 4 }, () => generateApiKey());

export const fuzz: FuzzTarget = {
  name: 'keys',
  corpus: [...made, generateApiKey('test'), 'a key of our own, long enough'],
  check(input) {
    const key = input.toString('latin1');
    if (!isPlausibleKey(key)) return;
    if (key.length < 24 || key.length > 128) throw new Error('a length that no key has');
    if (!key.startsWith('eas_')) return;
    const near = made.find((one) => one.length === key.length && differing(one, key) === 1);
    if (near) throw new Error('a key with one wrong character is plausible');
  },
};

const differing = (left: string, right: string): number =>
  [...left].filter((letter, at) => letter !== right[at]).length;
