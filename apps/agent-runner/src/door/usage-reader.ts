import { StringDecoder } from 'node:string_decoder';
import type { Usage, WireFormat } from './wire-formats.ts';

/** Longest line of a stream, and longest JSON body, that is read for its usage; longer ones are only passed on. */
const maxLength = 16 * 1_024 * 1_024;

export type UsageReader = {
  add(chunk: Buffer): void;
  /** What the response said that it used; undefined where it did not. */
  end(): Usage | undefined;
};

/** Reads what a response used while it passes. Its memory is bounded, whatever comes. */
export function createUsageReader(format: WireFormat, { isStream }: { isStream: boolean }): UsageReader {
  const decoder = new StringDecoder('utf8');
  let known: Partial<Usage> | undefined;
  let [rest, isTooLong] = ['', false];

  const take = (value: unknown): void => {
    for (const message of Array.isArray(value) ? value : [value]) {
      const usage = typeof message === 'object' && message !== null ? format.usageIn(message as never) : undefined;
      if (usage) known = { ...known, ...usage };
    }
  };
  const takeText = (text: string): void => {
    const value = parsed(text);
    if (value !== undefined) take(value);
  };
  const takeLine = (line: string): void => {
    if (line.startsWith('data:')) takeText(line.slice('data:'.length));
  };

  function append(text: string): void {
    rest += text;
    if (isStream) {
      const lines = rest.split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      if (isTooLong && lines.length > 0) [lines[0], isTooLong] = ['', false];
      lines.forEach(takeLine);
    }
    if (rest.length > maxLength) [rest, isTooLong] = ['', true];
  }

  return {
    add: (chunk) => append(decoder.write(chunk)),
    end() {
      append(decoder.end());
      if (!isTooLong) (isStream ? takeLine : takeText)(rest);
      if (known?.input === undefined && known?.output === undefined) return undefined;
      return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...known };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
