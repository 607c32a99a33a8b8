// Fails on a migration that breaks processes of the previous release, or locks a table that they write
// (docs/operate/upgrade.md), and if the broken migration tools/canary/migration.sql is not found.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contractSteps } from './compatibility/migration-rules.ts';

const root = resolve(import.meta.dirname, '..');
const canary = 'tools/canary/migration.sql';
/** Those up to this one are older than the rules: docs/operate/upgrade.md says what they lock. */
const lastWithoutRules = '20261128100000_rows_sent_again';

const migrations = globSync('prisma/migrations/*/migration.sql', { cwd: root }).sort();
const checked = migrations.filter((file) => (file.split('/')[2] ?? '') > lastWithoutRules);
const squawk = resolve(root, 'node_modules/.bin/squawk');
const { stdout, stderr } = spawnSync(squawk, ['--reporter', 'gcc', canary, ...checked], {
  cwd: root,
  encoding: 'utf8',
});
const lines = stdout.split('\n').filter((line) => /: (?:warning|error): /.test(line));

const silent = [
  'ban-drop-table',
  'ban-drop-column',
  'renaming-column',
  'changing-column-type',
  'adding-not-nullable-field',
  'adding-required-field',
  'constraint-missing-not-valid',
  'require-concurrent-index-creation',
  'ban-concurrent-index-creation-in-transaction',
].filter((rule) => !lines.some((line) => line.startsWith(canary) && line.includes(`: ${rule} `)));
const problems = [
  ...lines.filter((line) => !line.startsWith(canary)),
  ...checked.flatMap((file) =>
    contractSteps(readFileSync(resolve(root, file), 'utf8')).map((step) => `${file}: ${step}`),
  ),
  ...silent.map((rule) => `${rule} was not found in ${canary}, so this check is broken. ${stderr}`),
];
for (const problem of problems) console.error(problem);
if (problems.length > silent.length)
  console.error(`Add only, and take away in a later release; build indexes concurrently, one in a file. On purpose: the reason in a
comment and below it -- squawk-ignore <rule>, for views, types and defaults -- contract: <since when nothing uses it>.`);
process.stdout.write(
  `${checked.length} of ${migrations.length} migrations are newer than the rules, ${problems.length} findings\n`,
);
process.exitCode = problems.length === 0 && migrations.length > 0 ? 0 : 1;
