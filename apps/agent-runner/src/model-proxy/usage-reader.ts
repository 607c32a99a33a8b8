import { StringDecoder } from 'node:string_decoder';
import type { Usage, WireFormat } from './wire-formats.ts';

/** Longest line of a stream, and longest JSON body, that is read for its usage; longer ones are only passed on. */
const maxLength = 16 * 1_024 * 1_024;

export type UsageReader = {
  add(chunk: Buffer): void;
  /** Whether a stream has said all of its usage, though it may not have ended. */
  isFinal(): boolean;
  /** What the response said that it used; undefined where it did not. */
  end(): Usage | undefined;
};

/** Reads what a response used while it passes. Its memory is bounded, whatever comes. */
export function createUsageReader(format: WireFormat, { isStream }: { isStream: boolean }): UsageReader {
  const decoder = new StringDecoder('utf8');
  let known: Partial<Usage> | undefined;
  let [rest, isTooLong, isFinal] = ['', false, false];

  const take = (value: unknown): void => {
    for (const message of Array.isArray(value) ? value : [value]) {
      if (typeof message !== 'object' || message === null) continue;
      const usage = format.usageIn(message as never);
      if (usage) known = { ...known, ...usage };
      isFinal ||= isStream && format.isFinal(message as never);
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
    isFinal: () => isFinal,
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
