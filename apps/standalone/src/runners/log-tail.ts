import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const tailBytes = 16_384;
const maxLines = 10;
const maxLength = 500;
const controls = /\p{Cc}/gu;
/** Each line of a runner begins with its time. */
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z /;
/** The end of a crash, which says less than what is before it. */
const ofStack = /^(\s+at |Node\.js v)/;

/** The last lines of a log, oldest first. */
export function readLogTail(file: string): string[] {
  const lines = readEnd(file)
    .split('\n')
    .filter((line) => line.trim() !== '' && !ofStack.test(line))
    .map((line) => line.replace(time, '').replaceAll(controls, ' ').slice(0, maxLength));
  return lines.slice(-maxLines);
}

function readEnd(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - start);
    const length = readSync(descriptor, bytes, 0, bytes.length, start);
    const text = bytes.toString('utf8', 0, length);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(descriptor);
  }
}
