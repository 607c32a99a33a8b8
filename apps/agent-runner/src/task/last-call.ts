import type { Ended } from '../command/process-group.ts';

/** What the command said about how its task ends. The last word of a kind counts. */
export type LastWords = {
  summary?: string;
  result?: Record<string, unknown>;
  scores?: Record<string, unknown>;
  fail?: string;
  handoff?: Record<string, unknown>;
  release?: Record<string, unknown>;
};

export type LastCall = { verb: 'complete' | 'fail' | 'release' | 'handoff'; body: Record<string, unknown> };

const maxReasonLength = 2_000;
const maxSummaryLength = 65_536;

/** How a command that ended by itself leaves its task. `output` and `errors` are the last lines that it wrote. */
export function lastCallOf(
  ended: Ended,
  words: LastWords,
  { output, errors }: { output: readonly string[]; errors: readonly string[] },
): LastCall {
  if (words.fail !== undefined) return failure(words.fail, false);
  if (ended.code !== 0) {
    return failure([`The command failed: ${endOf(ended)}.`, ...(errors.length > 0 ? errors : output)].join('\n'), true);
  }
  if (words.handoff) return { verb: 'handoff', body: words.handoff };
  if (words.release) return { verb: 'release', body: words.release };
  const { summary = output.join('\n'), result, scores } = words;
  const body = { ...(summary === '' ? {} : { summary: cut(summary, maxSummaryLength) }), result, scores };
  return { verb: 'complete', body };
}

export const endOf = ({ code, signal }: Ended): string => (signal ? `ended by ${signal}` : `exit code ${code}`);

/** A reported failure: one that is not retryable ends the task for good. */
export function failure(reason: string, retryable: boolean): LastCall {
  return { verb: 'fail', body: { reason: cut(reason, maxReasonLength), retryable } };
}

const cut = (text: string, length: number) => text.slice(0, length).replaceAll('\0', '').toWellFormed();

/** The last lines of a stream: `maxLines`, none longer than 500 characters. */
export function lastLines(maxLines = 20): { add(line: string): void; lines(): string[] } {
  const kept: string[] = [];
  return {
    add(line) {
      if (line.trim() === '') return;
      kept.push(line.slice(0, 500));
      if (kept.length > maxLines) kept.shift();
    },
    lines: () => [...kept],
  };
}
