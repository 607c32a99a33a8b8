// The index of decision records, made of their first lines; pure, so that it can be tested.
export type Decision = {
  file: string;
  number: number;
  title: string;
  status: string;
  module: string;
  replaces: readonly number[];
};

const STATUSES = ['proposed', 'accepted', 'superseded', 'rejected'];

/** A newcomer can read this number of records. A further decision goes into the record of its subject. */
const MAX_RECORDS = 30;

/** Reads one record; throws if its number, title, status or module is missing. `modules` are the folders that records may name. */
export function readDecision(file: string, text: string, modules: readonly string[]): Decision {
  const number = Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]);
  const [heading = '', , line = ''] = text.split('\n');
  const title = heading.startsWith(`# ${number}. `) ? heading.slice(`# ${number}. `.length) : '';
  if (title === '') throw new Error(`${file}: the first line must be "# ${number}. <title>".`);
  const [, status, module, replaced = ''] =
    /^Status: (.+?) · Module: (\S+)(?: · Replaces: (\d+(?:, \d+)*))?$/.exec(line) ?? [];
  if (!status || !module) {
    throw new Error(
      `${file}: the third line must be "Status: <status> · Module: <module>", and may end with " · Replaces: <numbers>".`,
    );
  }
  if (!STATUSES.includes(status.split(';')[0] ?? '')) {
    throw new Error(`${file}: status must be one of ${STATUSES.join(', ')}, with a remark after a semicolon.`);
  }
  if (!modules.includes(module))
    throw new Error(`${file}: module must be one of ${modules.join(', ')}, not ${module}.`);
  return { file, number, title, status, module, replaces: replaced === '' ? [] : replaced.split(', ').map(Number) };
}

/** Throws when a number is used or replaced twice, or when there are too many records. */
function checkNumbers(decisions: readonly Decision[]): void {
  const numbers = decisions.flatMap(({ number, replaces }) => [number, ...replaces]);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`Decision ${twice} exists or is replaced twice.`);
  if (decisions.length > MAX_RECORDS)
    throw new Error(`There are ${decisions.length} decisions (maximum: ${MAX_RECORDS}). Merge two of one subject.`);
}

/** The index: one table in the order of `modules`, then where earlier numbers went. */
export function indexOf(decisions: readonly Decision[], modules: readonly string[]): string {
  checkNumbers(decisions);
  const rows = modules.flatMap((module) => decisions.filter((decision) => decision.module === module)).map(rowOf);
  const replaced = decisions
    .flatMap(({ number, file, replaces }) => replaces.map((before) => ({ before, number, file })))
    .sort((a, b) => a.before - b.before)
    .map(({ before, number, file }) => `${before} → [${number}](${file})`);
  const earlier = replaced.length > 0 ? `\n## Earlier numbers\n\n${replaced.join(' · ')}\n` : '';
  return `| decision | module | status |\n|---|---|---|\n${rows.join('\n')}\n${earlier}`;
}

const rowOf = ({ file, number, title, module, status }: Decision): string =>
  `| [${number}. ${title}](${file}) | ${module} | ${status.replaceAll('|', '\\|')} |`;
