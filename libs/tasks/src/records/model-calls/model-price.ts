import type { ModelPrice } from '@eas/contracts';

/** In micro-USD per million tokens. */
export type KeptPrice = { input: number; output: number; cacheRead: number; cacheWrite: number };

export type TokenCounts = { input: number; output: number; cacheRead: number; cacheWrite: number };

export const tokensIn = ({ input, output, cacheRead, cacheWrite }: TokenCounts): number =>
  input + output + cacheRead + cacheWrite;

const perMillion = 1_000_000n;

/** In micro-USD, rounded up. */
export function costOf(price: KeptPrice, tokens: TokenCounts): number {
  const kinds = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
  const sum = kinds.reduce((total, kind) => total + BigInt(price[kind]) * BigInt(tokens[kind]), 0n);
  return Number((sum + perMillion - 1n) / perMillion);
}

/** The maximum cost of tokens: any of the input may be written into a cache. */
export function highestCost(price: KeptPrice, { input, output }: { input: number; output: number }): number {
  const dearest = Math.max(price.input, price.cacheRead, price.cacheWrite);
  return costOf({ ...price, input: dearest }, { input, output, cacheRead: 0, cacheWrite: 0 });
}

/** What a price table can call a model: its name, and each of its beginnings with * behind it. */
export const namesOfModel = (model: string): string[] => [
  model,
  ...Array.from({ length: model.length + 1 }, (_, length) => `${model.slice(0, length)}*`),
];

const millionth = 1e6;

type GivenPrice = { input: number; output: number; cache_read?: number | undefined; cache_write?: number | undefined };

/** A price as it is kept, from USD per million tokens. */
export function keptPrice({ input, output, cache_read = input, cache_write = input }: GivenPrice): KeptPrice {
  const kept = (usd: number) => Math.round(usd * millionth);
  return { input: kept(input), output: kept(output), cacheRead: kept(cache_read), cacheWrite: kept(cache_write) };
}

export function shownPrice({ input, output, cacheRead, cacheWrite }: KeptPrice): ModelPrice {
  const shown = (kept: number) => kept / millionth;
  return { input: shown(input), output: shown(output), cache_read: shown(cacheRead), cache_write: shown(cacheWrite) };
}
