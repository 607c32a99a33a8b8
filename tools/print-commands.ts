// Writes docs/operate/commands.md from the operator commands and their options.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import prettier from 'prettier';

type Option = { type: 'string' | 'boolean'; default?: string; about: string };
type Command = { usage: string; about: string; options?: Readonly<Record<string, Option>> };

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'docs/operate/commands.md');
const { commands } = (await import(join(root, 'apps/standalone/src/commands/commands.ts'))) as {
  commands: Readonly<Record<string, Command>>;
};

const code = (text: string) => `\`${text}\``;
const cell = (text: string) => text.replaceAll('|', '\\|');

function optionRow([name, { type, default: value, about }]: [string, Option]): string {
  const shown = type === 'string' ? `--${name} <${name}>` : `--${name}`;
  return `| ${code(shown)} | ${cell(about)} | ${value === undefined ? '' : code(value)} |`;
}

function section([name, { usage, about, options = {} }]: [string, Command]): string {
  const rows = Object.entries(options).map(optionRow);
  const table = rows.length === 0 ? '' : `\n| Option | Meaning | Default |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  const sentence = about.charAt(0).toUpperCase() + about.slice(1);
  return `## ${name}\n\n\`\`\`text\nnpm run cmd -- ${`${name} ${usage}`.trim()}\n\`\`\`\n\n${sentence}.\n${table}`;
}

const page = `# Operator commands

<!-- Made by: node tools/print-commands.ts. Do not edit. -->

Commands work on the database of \`DATABASE_URL\`; without it on the embedded one under \`DATA_DIR\`: that of the running system, or
started for the command alone. They need the \`ENCRYPTION_KEY\` of the system. \`npm run cmd\` lists them, and \`--help\` behind a command
shows its options. What is wrong is one line on stderr, and the exit code is then 1. \`--json\` prints for programs; add \`--silent\`
(\`npm run --silent cmd -- …\`) to leave out the lines of npm.

${Object.entries(commands).map(section).join('\n')}`;
const options = await prettier.resolveConfig(file);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, await prettier.format(page, { ...options, parser: 'markdown' }));
