import { stripVTControlCharacters } from 'node:util';

export type Output = {
  isJson: boolean;
  /** Shows a response: as it came with `--json`, else as `lines` say it. */
  show<T>(body: T, lines: (body: T) => readonly string[]): void;
  /** One of several responses: as a line of JSON, or as `line` says it. */
  showLine<T>(body: T, line: (body: T) => string | undefined): void;
  /** A message for people only, on stderr. */
  say(sentence: string): void;
};

type Write = (text: string) => void;

export function createOutput({ isJson, write, writeErr }: { isJson: boolean; write: Write; writeErr: Write }): Output {
  return {
    isJson,
    show(body, lines) {
      if (isJson) write(`${JSON.stringify(body, null, 2)}\n`);
      else for (const line of lines(body)) write(`${line}\n`);
    },
    showLine(body, line) {
      const text = isJson ? JSON.stringify(body) : line(body);
      if (text !== undefined) write(`${text}\n`);
    },
    say: (sentence) => writeErr(`${sentence}\n`),
  };
}

const controls = /[^\P{Cc}\n\t]/gu;

/** Untrusted text, without control sequences. */
export const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(controls, ' ');

/** The same in one line. */
export const oneLine = (text: string, max = 80): string => {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
};

/** Columns under their heads. `empty`: the line in place of a table without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], empty: string): string[] {
  if (rows.length === 0) return [empty];
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [heads, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** `name  value` lines; what is undefined, null or empty is left out. */
export function fields(values: Readonly<Record<string, string | null | undefined>>): string[] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
