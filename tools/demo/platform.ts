import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Api } from './api.ts';

const samplesFolder = resolve(import.meta.dirname, '../../libs/task-platform/test/samples');
/** Comes from another, unsigned sender of the platform and is no event. */
const foreignSample = 'automationCallWebhook.json';
const openers = [
  'taskCreated.json',
  'signature-doc-example.taskCreated-minimal.json',
  'taskStatusUpdated.on-create.json',
];
/** Changes of one task that would race with the agents' work on it: each gets a task of its own. */
const ownTask = ['taskStatusUpdated.on-create.json', 'taskDeleted.json'];
/** The first payload about its task says that a person works on it there: the task waits and is not claimed. */
const heldFirst = 'taskStatusUpdated.json';

type Sample = { name: string; event: string; externalId: string | undefined; text: string };
type Acknowledged = { sample: Sample; sentAt: number; tookMs: number; status: number; body: string };

export type Platform = {
  openers: Sample[];
  others: Sample[];
  /** The platform's id of the task that waits for the platform. */
  heldId: string;
  /** The platform deletes that task. */
  heldDeleted: Sample;
  foreign: Sample;
  send(sample: Sample, signature?: string): Promise<Acknowledged>;
};

/** The platform: its webhook with a secret known to both sides, and its samples with ids that no run had before. */
export async function connectPlatform(api: Api): Promise<Platform> {
  const [webhookId, secret] = [randomUUID(), randomBytes(24).toString('hex')];
  const integration = { type: 'taskplatform', webhook_id: webhookId, secret };
  await api.post('/v1/integrations', integration, z.looseObject({ id: z.string() }));
  const renew = renewIds(webhookId, randomBytes(4).toString('hex'));
  const samples = readdirSync(samplesFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => renew(name, JSON.parse(readFileSync(join(samplesFolder, name), 'utf8')) as Body));
  const named = (name: string) => {
    const sample = samples.find((one) => one.name === name);
    if (!sample) throw new Error(`sample ${name} is missing`);
    return sample;
  };
  const special = [...openers, ...ownTask, foreignSample, heldFirst];
  const heldId = named(heldFirst).externalId ?? '';
  const deleted = named('taskDeleted.json');
  return {
    openers: openers.map(named),
    others: [named(heldFirst), ...samples.filter(({ name }) => !special.includes(name))],
    heldId,
    heldDeleted: { ...deleted, text: deleted.text.replace(deleted.externalId ?? '', heldId) },
    foreign: named(foreignSample),
    send: (sample, signature = createHmac('sha256', secret).update(sample.text).digest('hex')) =>
      send(api.baseUrl, sample, signature),
  };
}

type Body = Record<string, unknown> & { history_items?: Record<string, unknown>[] };

/** Ids of one run belong together as those of the samples do, and differ from every other run's. */
function renewIds(webhookId: string, run: string) {
  const idFields = ['task_id', 'list_id', 'folder_id', 'space_id', 'goal_id', 'key_result_id'];
  return (name: string, body: Body): Sample => {
    const suffix = ownTask.includes(name) ? `${run}-${ownTask.indexOf(name)}` : run;
    const ids = idFields.filter((field) => field in body).map((field) => [field, `${String(body[field])}-${suffix}`]);
    const items = body.history_items?.map((item) => ({ ...item, id: `${String(item['id'])}-${run}` }));
    const renewed: Body = { ...body, ...Object.fromEntries(ids), ...(items ? { history_items: items } : {}) };
    if ('event' in body) renewed['webhook_id'] = webhookId;
    const externalId = renewed['task_id'] as string | undefined;
    return { name, event: String(body['event']), externalId, text: JSON.stringify(renewed) };
  };
}

async function send(baseUrl: string, sample: Sample, signature: string): Promise<Acknowledged> {
  const sentAt = performance.now();
  const response = await fetch(`${baseUrl}/webhook/taskplatform`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': signature },
    body: sample.text,
    signal: AbortSignal.timeout(7_000),
  });
  const body = await response.text();
  return { sample, sentAt, tookMs: performance.now() - sentAt, status: response.status, body };
}
