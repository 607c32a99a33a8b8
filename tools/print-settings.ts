// Writes docs/settings.md from the settings that the apps declare in their config.ts.
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listSettings, type Setting, type SettingsShape } from '@eas/runtime';
import prettier from 'prettier';

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'docs/settings.md');
const apps = [
  'standalone',
  'api-gateway',
  'webhook-receiver',
  'workflow-orchestrator',
  'webhook-dispatcher',
  'analytics-aggregator',
];

type Row = { description: string; fallback: string; apps: string[] };

function fallbackOf({ schema }: Setting): string {
  if (schema.safeParse(undefined).success) {
    const value: unknown = schema.parse(undefined);
    if (Array.isArray(value) && value.length === 0) return 'none';
    return value === undefined ? 'unset' : `\`${Array.isArray(value) ? value.join(',') : String(value)}\``;
  }
  return '**required**';
}

const rows = new Map<string, Row[]>();
for (const app of apps) {
  const config = join(root, 'apps', app, 'src/config.ts');
  if (!existsSync(config)) continue;
  const { configShape } = (await import(config)) as { configShape: SettingsShape };
  for (const leaf of listSettings(configShape)) {
    const description = leaf.schema.description ?? '';
    if (description === '') throw new Error(`${app}: ${leaf.variable} has no description`);
    const fallback = fallbackOf(leaf);
    const known = rows.get(leaf.variable) ?? [];
    const same = known.find((row) => row.description === description && row.fallback === fallback);
    if (same) same.apps.push(app);
    else known.push({ description, fallback, apps: [app] });
    rows.set(leaf.variable, known);
  }
}

const cell = (text: string) => text.replaceAll('|', '\\|');
const everywhere = [...rows.values()].flat().reduce((most, row) => Math.max(most, row.apps.length), 0);
const table = [...rows]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([variable, variants]) =>
    variants.map(({ description, fallback, apps: users }) => {
      const who = users.length === everywhere && everywhere >= 5 ? 'all' : users.join(', ');
      return `| \`${variable}\` | ${cell(description)} | ${fallback} | ${who} |`;
    }),
  );

const page = `# Settings

<!-- Made by: node tools/print-settings.ts. Do not edit. -->

Environment variables of each process. An empty variable counts as unset. NAME_FILE names a file with the value of NAME.
With an invalid value the process does not start, and the error names the variable and the expected value. \`npm start\` (standalone) passes its own environment to the apps and fills in required variables.

| Variable | Meaning | Default | Read by |
| --- | --- | --- | --- |
${table.join('\n')}
`;
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(page, { ...options, parser: 'markdown' }));
