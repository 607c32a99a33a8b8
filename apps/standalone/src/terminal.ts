import type { Logger } from '@eas/core';
import { StartError } from '@eas/core';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const alert = (line: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

/** The supervisor's own log, for eyes: sentences instead of JSON lines. */
export function createTerminalLogger(isSentence: (error: unknown) => boolean): Logger {
  const show = (fields: Record<string, unknown>, message: string) => {
    const { err } = fields;
    if (isSentence(err) || err instanceof StartError) return void process.stderr.write(`${(err as Error).message}\n`);
    const detail = err instanceof Error ? `: ${err.stack ?? err.message}` : '';
    const step = typeof fields['step'] === 'string' ? ` (${fields['step']})` : '';
    alert(`${message}${step}${detail}`);
  };
  return { error: show, warn: show, info: ignore, debug: ignore };
}

function ignore(): void {}
