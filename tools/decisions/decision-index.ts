// The index of decision records, made of their first lines; pure, so that it can be tested.
export type Decision = { file: string; number: number; title: string; status: string; room: string };

const STATUSES = ['proposed', 'accepted', 'superseded', 'rejected'];

/** Reads one record; throws if its number, title, status or room is missing. `rooms` are the folders that records may name. */
export function readDecision(file: string, text: string, rooms: readonly string[]): Decision {
  const number = Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]);
  const [heading = '', , line = ''] = text.split('\n');
  const title = heading.startsWith(`# ${number}. `) ? heading.slice(`# ${number}. `.length) : '';
  if (title === '') throw new Error(`${file}: the first line must be "# ${number}. <title>".`);
  const [, status, room] = /^Status: (.+) · Room: (\S+)$/.exec(line) ?? [];
  if (!status || !room) throw new Error(`${file}: the third line must be "Status: <status> · Room: <room>".`);
  if (!STATUSES.includes(status.split(';')[0] ?? '')) {
    throw new Error(`${file}: status must be one of ${STATUSES.join(', ')}, with a remark after a semicolon.`);
  }
  if (!rooms.includes(room)) throw new Error(`${file}: room must be one of ${rooms.join(', ')}, not ${room}.`);
  return { file, number, title, status, room };
}

/** Throws when a number is used twice, or is missing without a reason. */
function checkNumbers(decisions: readonly Decision[], unused: Readonly<Record<number, string>>): void {
  const numbers = decisions.map(({ number }) => number);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`Decision ${twice} exists twice.`);
  const stale = Object.keys(unused).find((number) => numbers.includes(Number(number)));
  if (stale) throw new Error(`Decision ${stale} exists, but is listed as unused.`);
}

/** The index: one table for each room, in the order of `rooms`. */
export function indexOf(
  decisions: readonly Decision[],
  rooms: readonly string[],
  unused: Readonly<Record<number, string>>,
): string {
  checkNumbers(decisions, unused);
  const sections = rooms
    .map((room) => ({ room, rows: decisions.filter((decision) => decision.room === room) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ room, rows }) => `## ${room}\n\n| decision | status |\n|---|---|\n${rows.map(rowOf).join('\n')}\n`);
  const gaps = Object.entries(unused).map(([number, reason]) => `- ${number.padStart(4, '0')}: ${reason}`);
  return `${sections.join('\n')}\n## Unused numbers\n\n${gaps.join('\n')}\n`;
}

const rowOf = ({ file, number, title, status }: Decision): string =>
  `| [${number}. ${title}](${file}) | ${status.replaceAll('|', '\\|')} |`;
