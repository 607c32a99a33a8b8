// `npm run test:release [stage …]`: the checks before a release. All stages run, even after failures; each of them writes
// its row of docs/release-report.md.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import { countsIn, type Ran, reportOf, type Stage, type StageResult, stages } from './stages.ts';

const root = resolve(import.meta.dirname, '../..');
const reportFile = 'docs/release-report.md';
const say = (line: string): void => void process.stdout.write(`[release] ${line}\n`);

async function runStage(stage: Stage): Promise<StageResult> {
  say(`${stage.name}: ${stage.what} ...`);
  const startedAt = performance.now();
  const args = [resolve(root, 'tools/bootstrap.mjs'), stage.script, ...stage.args];
  // A program that the machine lacks is a failure here, as in CI.
  const env = { ...process.env, CI: 'true', ...stage.env };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000);
    process.stdout.write(chunk);
  });
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (exitCode) => done(exitCode ?? 1));
  });
  return { stage, counts: countsIn(output, code), seconds: (performance.now() - startedAt) / 1_000 };
}

async function main(asked: readonly string[]): Promise<number> {
  const unknown = asked.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    say(`Unknown stage ${unknown.join(', ')}; known: ${stages.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  const results: StageResult[] = [];
  const ran = describeVersion();
  for (const stage of stages) {
    if (asked.length > 0 && !asked.includes(stage.name)) continue;
    const result = await runStage(stage);
    writeFileSync(resolve(root, reportFile), reportOf(readReport(), result, ran));
    results.push(result);
  }
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, { counts }) => total + counts[key], 0);
  for (const { stage, counts } of results) if (counts.failed > 0) say(`${stage.name}: ${counts.failed} failed`);
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`);
  return sum('failed') === 0 ? 0 : 1;
}

function readReport(): string {
  const file = resolve(root, reportFile);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function describeVersion(): Ran {
  const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', '.', `:(exclude)${reportFile}`) !== '';
  const commit = `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ', changed' : ''}`;
  return { version, commit, date: new Date().toISOString().slice(0, 10) };
}

endDescendantsOnSignal();
process.exitCode = await main(process.argv.slice(2));
