// docs/services/agents-report.md: one row for each ending, one column for each agent.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import prettier from 'prettier';
import { readResults, type Result, type Results } from './results.ts';

const reportFile = resolve(import.meta.dirname, '../../docs/services/agents-report.md');

const cell = (result: Result | undefined): string => {
  if (!result) return '';
  const { kind, text, seconds } = result;
  if (kind === 'skipped') return `— (${text})`;
  return kind === 'failed' ? `**wrong**: ${text}` : `${text} (${seconds} s)`;
};

/** Failures come with what the agent did last. */
const maxLength = 300;
const escaped = (text: string) =>
  text
    .slice(0, maxLength)
    .replaceAll('|', String.raw`\|`)
    .replaceAll('\n', ' ');

/** `names`: of the endings. */
export async function writeReport(names: readonly string[]): Promise<void> {
  const options = await prettier.resolveConfig(reportFile);
  writeFileSync(reportFile, await prettier.format(reportOf(readResults(), names), { ...options, parser: 'markdown' }));
}

function reportOf(all: Results, names: readonly string[]): string {
  const agents = Object.entries(all);
  const rows = names.map((name) => [
    name,
    ...agents.map(([, { results }]) => escaped(cell(results.find(({ ending }) => ending === name)))),
  ]);
  const table = [['ending', ...agents.map(([id]) => id)], ['---', ...agents.map(() => '---')], ...rows];
  const tried = agents.map(([id, { what, date, megabytes }]) => `| ${id} | \`${what}\` | ${date} | ${megabytes} MB |`);
  return `# Coding agents that were tried

Written by \`npm run test:real-agents\`: real agents, a played model, no internet.

| agent | package | last tried | most memory of a runner, without the agent |
|---|---|---|---|
${tried.join('\n')}

Each cell says how the task ended, and after how long. A task whose work is not done must never be completed: where that happened, or anything else was not as it must be, the cell says **wrong**.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}
