import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts } from '../../npm-test/test-plan.ts';
import { findOnPath } from '@eas/testing/programs';
import { runTool, toolFile } from '../../foreign/run-tool.ts';
import { missing, oneCheck, type Suite, type Target } from '../suite.ts';
import { type ContractDocument, documentForSpecmatic } from './specmatic-document.ts';

/** No agent has its role: an agent with a task keeps its own. */
const workflow = {
  name: 'Specmatic',
  description: 'Run by Specmatic',
  estimated_duration: '1 hour',
  steps: [{ id: 'only', name: 'Only', role: 'specmatic-run', task: { title: 'Only', description: 'For Specmatic' } }],
};

/** A created resource; its id fills a path parameter, also in the paths that follow. */
const seeds: readonly [parameter: string, path: string, body: object][] = [
  ['project_id', '/v1/projects', { name: `Specmatic ${Date.now()}` }],
  ['agent_id', '/v1/agents', { name: 'Specmatic', role: 'specmatic' }],
  ['task_id', '/v1/tasks', { title: 'Specmatic', description: 'Read by Specmatic' }],
  ['webhook_id', '/v1/webhooks', { url: 'https://example.com/specmatic', events: ['task.created'] }],
  ['replay_id', '/v1/webhooks/{webhook_id}/replays', {}],
  ['integration_id', '/v1/integrations', { type: 'github', org_name: 'specmatic', secret: 'a-secret-of-length' }],
  ['policy_id', '/v1/policies', { role: `specmatic-${Date.now()}` }],
  ['profile_id', '/v1/profiles', { name: `Specmatic ${Date.now()}` }],
  ['budget_id', '/v1/budgets', { scope: 'tenant', unit: 'calls', period: 'day', limit: 1_000_000 }],
  ['workflow_id', '/v1/workflows', workflow],
  ['run_id', '/v1/workflows/{workflow_id}/start', { name: 'Specmatic' }],
  ['key_id', '/admin/api/keys', { name: 'Specmatic', scopes: ['tasks:read'] }],
  [
    'user_id',
    '/admin/api/users',
    { email: `specmatic-${Date.now()}@example.com`, name: 'Specmatic', scopes: ['tasks:read'] },
  ],
  [
    'client_id',
    '/admin/api/clients',
    { name: 'Specmatic', redirect_uris: ['https://example.com/cb'], scopes: ['tasks:read'] },
  ],
];

async function makeIds({ baseUrl, apiKey }: Target): Promise<Record<string, string>> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const ids: Record<string, string> = {};
  for (const [parameter, template, body] of seeds) {
    const path = template.replace(/\{([^}]+)\}/, (_, name: string) => ids[name] ?? '');
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    const made = (await response.json()) as { id?: string; workflow_run_id?: string };
    ids[parameter] = made.id ?? made.workflow_run_id ?? '';
  }
  const task = JSON.stringify({ title: 'Specmatic', description: 'Delivered to its webhook' });
  await fetch(`${baseUrl}/v1/tasks`, { method: 'POST', headers, body: task });
  const delivery = await firstDelivery(`${baseUrl}/v1/webhooks/${ids['webhook_id']}/deliveries`, headers);
  return { ...ids, version: '1', delivery_id: delivery.id, event_id: delivery.event_id };
}

const patienceMs = 60_000;

/** The webhook exists before the task: its event is delivered there, or tried. */
async function firstDelivery(url: string, headers: Record<string, string>): Promise<{ id: string; event_id: string }> {
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(100)) {
    const response = await fetch(url, { headers });
    const [delivery] = ((await response.json()) as { data: { id: string; event_id: string }[] }).data;
    if (delivery) return delivery;
  }
  throw new Error(`no delivery after ${patienceMs} ms: ${url}`);
}

const configOf = (apiKey: string): string => `version: 2
contracts:
  - provides: [openapi.json]
security:
  OpenAPI:
    securitySchemes:
      apiKey: { type: apiKey, value: ${apiKey} }
test:
  resiliencyTests: { enable: all }
  maxTestRequestCombinations: 2
  timeoutInMilliseconds: 10000
disable_telemetry: true
`;

export const specmatic: Suite = {
  name: 'specmatic',
  what: 'requests made of the schemas, right and wrong ones, get the responses of the document',
  isForReleases: true,
  async run(target) {
    const java = findOnPath('java');
    if (!java) return missing('java');
    const document = JSON.parse(readFileSync(target.documentFile, 'utf8')) as ContractDocument;
    const prepared = documentForSpecmatic(document, await makeIds(target));
    writeFileSync(join(target.folder, 'openapi.json'), JSON.stringify(prepared));
    writeFileSync(join(target.folder, 'specmatic.yaml'), configOf(target.apiKey));
    const { code, output } = await runTool(
      java,
      [
        // It reads the document by recursion, to the edge of the default of 1 MB.
        '-Xss2m',
        '-jar',
        toolFile('specmatic/specmatic.jar'),
        'test',
        '--config=specmatic.yaml',
        `--testBaseURL=${target.baseUrl}`,
      ],
      { cwd: target.folder, timeoutMs: 240_000 },
    );
    writeFileSync(join(target.folder, 'output.txt'), output);
    return countsOf(output, code) ?? oneCheck(false, output.slice(-5_000));
  },
};

function countsOf(output: string, code: number): Counts | undefined {
  const found = /Tests run: (\d+), Successes: (\d+), Failures: (\d+)(?:, WIP: \d+)?, Errors: (\d+)/.exec(output);
  if (!found) return undefined;
  const [run = 0, passed = 0, failures = 0, errors = 0] = found.slice(1).map(Number);
  const failed = failures + errors;
  for (const line of output
    .split('\n')
    .filter((text) => text.endsWith('has FAILED'))
    .slice(0, 40))
    process.stdout.write(`${line}\n`);
  return { passed, failed: failed === 0 && (code !== 0 || run === 0) ? 1 : failed, skipped: 0 };
}
