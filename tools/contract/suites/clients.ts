import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts } from '../../npm-test/test-plan.ts';
import { findOnPath } from '@eas/testing/programs';
import { runTool } from '../../foreign/run-tool.ts';
import type { Document } from '../generators/document-copies.ts';
import { type Generator, generators, jar } from '../generators/generators.ts';
import { copyPlay, copySettings, runStep } from '../generators/steps.ts';
import { addCounts, notRun, oneCheck, type Suite, type Target } from '../suite.ts';

const say = (line: string): void => void process.stdout.write(`[contract] clients: ${line}\n`);

/** From Maven Central, whose checksums Maven compares. */
async function fetchJar(): Promise<void> {
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${jar.artifact}`, `-DoutputDirectory=${jar.folder}`];
  const { code, output } = await runTool('mvn', args, { timeoutMs: 600_000 });
  if (code !== 0) throw new Error(`${jar.artifact} could not be fetched:\n${output.slice(-2_000)}`);
}

/** A check for each kind of step: what is generated, compiles and plays. */
async function runGenerator(generator: Generator, { documentFile, baseUrl, apiKey, folder }: Target): Promise<Counts> {
  const { name, needs, copy, play, doesNotPlay, settings, steps } = generator;
  const lacking = needs.filter((program) => !findOnPath(program));
  if (copy) say(`${name}: reads a copy of the document: ${copy.why}`);
  const row = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(join(row, 'client'), { recursive: true });
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as Document;
  writeFileSync(join(row, 'openapi.json'), JSON.stringify(copy ? copy.of(document) : document));
  const work = join(row, 'client');
  if (settings) copySettings(settings[0], join(work, settings[1]));
  if (play) copyPlay(play[0], join(work, play[1]));
  else say(`${name}: does not play: ${doesNotPlay}`);
  const env = { CONTRACT_BASE_URL: baseUrl, CONTRACT_API_KEY: apiKey };
  for (const step of steps) {
    const lacks = lacking.includes(step.run[0] ?? '') || (step.what === 'generates' && lacking.includes('java'));
    if (lacks) return notRun(`${name}: ${step.run[0]} is not on PATH`);
    const { code, output } = await runStep({ ...step, env: { ...step.env, ...env } }, work);
    if (code !== 0) return oneCheck(false, `${name}: ${step.run.join(' ')}\n${output.slice(-4_000)}`);
  }
  say(`${name}: generates, compiles${play ? ' and plays' : ''}`);
  return oneCheck(true, '');
}

/** A stage of a release by itself: it takes minutes, and downloads what each language wants. */
export const clients: Suite = {
  name: 'clients',
  what: 'clients of all generators compile, and create, claim, complete, page and subscribe',
  isOwnStage: true,
  async run(target) {
    if (findOnPath('java') && findOnPath('mvn')) await fetchJar();
    const counts: Counts[] = [];
    for (const generator of generators) counts.push(await runGenerator(generator, target));
    return addCounts(counts);
  },
};
