// `npm run test:contract [--all] [suite …]`: third-party tools compare a live system with the document that it serves.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts, startOwnSystem } from '@eas/testing/own-system';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import type { Counts } from '../npm-test/test-plan.ts';
import { contractTools, installPackages } from '../install-packages.ts';
import { oauth, pages } from './suites/browser.ts';
import { clients as generators } from './suites/clients.ts';
import { generatedClient } from './suites/generated-client.ts';
import { interfaceDocument } from './suites/interface.ts';
import { kubernetes } from './suites/kubernetes.ts';
import { redocly, spectral } from './suites/lint.ts';
import { prism } from './suites/prism.ts';
import { promtool } from './suites/promtool.ts';
import { pythonClient, pythonStream } from './suites/python-client.ts';
import { sdkClient } from './suites/sdk-client.ts';
import { specmatic } from './suites/specmatic.ts';
import { contractFolder } from '../foreign/run-tool.ts';
import { addCounts, type Suite, type Target } from './suite.ts';

const clients = [generatedClient, sdkClient, pythonClient, pythonStream];
const browsers = [oauth, pages];
const suites: readonly Suite[] = [
  promtool,
  spectral,
  redocly,
  interfaceDocument,
  ...clients,
  prism,
  specmatic,
  ...browsers,
  kubernetes,
  generators,
];

const settings = {
  BOOTSTRAP_RATE_LIMIT: '1000000',
  BOOTSTRAP_OAUTH_CLIENT: JSON.stringify({
    client_id: 'contract-client',
    client_secret: 'a-secret-that-only-the-contract-tests-know',
    redirect_uris: [`http://127.0.0.1:${await findFreePorts(1)}/callback`],
  }),
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'correct horse battery staple',
  WEBHOOK_RETRY_SCHEDULE: '1,2,5',
};

const say = (line: string): void => void process.stdout.write(`[contract] ${line}\n`);

async function runSuite({ name, what, run }: Suite, target: Omit<Target, 'folder'>): Promise<Counts> {
  say(`${name}: ${what} ...`);
  const startedAt = Date.now();
  const folder = join(contractFolder, 'tmp', name);
  mkdirSync(folder, { recursive: true });
  const counts = await run({ ...target, folder }).catch((error: unknown) => {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  say(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s`);
  return counts;
}

const isAsked = ({ isForReleases, isOwnStage }: Suite, isAll: boolean): boolean =>
  !isOwnStage && (isAll || !isForReleases);

async function main(): Promise<number> {
  const asked = process.argv.slice(2).filter((word) => word !== '--all');
  const isAll = process.argv.includes('--all');
  const unknown = asked.filter((word) => !suites.some(({ name }) => name === word));
  if (unknown.length > 0) {
    say(`Unknown suite ${unknown.join(', ')}; known: ${suites.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  await installPackages(contractTools, say);
  rmSync(join(contractFolder, 'tmp'), { recursive: true, force: true });
  mkdirSync(join(contractFolder, 'tmp'), { recursive: true });
  say('starting a system of its own ...');
  const system = await startOwnSystem(process.env, settings);
  endDescendantsOnSignal(() => system.stop());
  let hasFailed = true;
  try {
    const documentFile = join(contractFolder, 'tmp', 'openapi.json');
    const response = await fetch(`${system.baseUrl}/v1/openapi.json`);
    writeFileSync(documentFile, await response.text());
    const target = { baseUrl: system.baseUrl, apiKey: system.apiKey, documentFile, env: settings };
    const all: Counts[] = [];
    for (const suite of suites)
      if (asked.length === 0 ? isAsked(suite, isAll) : asked.includes(suite.name))
        all.push(await runSuite(suite, target));
    const { passed, failed, skipped } = addCounts(all);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    hasFailed = failed > 0 || passed === 0;
    return hasFailed ? 1 : 0;
  } finally {
    const logs = await system.stop();
    if (hasFailed) keepLogs(logs);
  }
}

/** The output of the system, for the analysis of failures. */
function keepLogs(logs: string): void {
  const file = join(contractFolder, 'tmp', 'system.log');
  writeFileSync(file, logs);
  say(`what the system logged is in ${file}`);
}

process.exitCode = await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
