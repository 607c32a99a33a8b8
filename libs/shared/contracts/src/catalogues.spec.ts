import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { constraintWords, errorCodes } from './error-codes.ts';
import { events, type EventType, subscribableEventTypes } from './events/catalogue.ts';
import { consumersOf, followers, routing, typesFor } from './events/routing.ts';
import { jobOf, type JobName, queueOf, queues } from './jobs/catalogue.ts';
import { eventBatch, type JobDef } from './jobs/job.ts';

const eventTypes = Object.keys(events) as EventType[];
const jobs = Object.values(queues).flatMap(({ name, jobs: own }) =>
  Object.entries<JobDef>(own).map(([job, definition]) => ({ queue: name, job: job as JobName, definition })),
);
const jobNames: string[] = jobs.map(({ job }) => job);
const consumers = jobs.filter(({ definition }) => definition.payload === eventBatch).map(({ job }) => job);

/** By type or name; `what`: a folder of files with one example of each. */
function readExamples<T>(what: 'events' | 'jobs'): [string, T][] {
  const folder = resolve(import.meta.dirname, '../test', what);
  return readdirSync(folder).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, T>),
  );
}

describe('the catalogue of events', () => {
  it.each(eventTypes)('%s is routed to jobs that consume events, each once', (type) => {
    const routed: readonly string[] = routing[type];
    expect(new Set(routed).size).toBe(routed.length);
    expect(routed.filter((job) => !consumers.includes(job as JobName))).toEqual([]);
  });

  it('routes only known events', () => {
    expect(Object.keys(routing).sort()).toEqual([...eventTypes].sort());
  });

  it.each(eventTypes)('%s is fanned out to endpoints exactly when it is public', (type) => {
    const isFannedOut = (routing[type] as readonly string[]).includes('fan_out.follow');
    expect(isFannedOut).toBe(events[type].visibility === 'public');
  });

  it.each(eventTypes)('%s is named noun.past_tense, and has facts if analytics counts tasks by it', (type) => {
    if (type !== 'ping') expect(type).toMatch(/^[a-z]+\.[a-z_]+$/);
    const isCounted = (name: string) => ['facts.follow', 'facts.record'].includes(name);
    if (type.startsWith('task.') && routing[type].some(isCounted)) expect(events[type].facts).not.toBeNull();
  });

  it('lets endpoints subscribe to every public event and to no internal one', () => {
    const names: readonly string[] = subscribableEventTypes;
    for (const type of eventTypes)
      expect([type, names.includes(type)]).toEqual([type, events[type].visibility === 'public']);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['a task of a role that has no planned agent', 'task.created', { assigned_agent: null, assigned_role: 'rd' }, true],
    ['a task that has its agent', 'task.created', { assigned_agent: 'agt_1', assigned_role: 'rd' }, false],
    ['a task of any role', 'task.created', { assigned_agent: null, assigned_role: null }, false],
    ['a task that is open again', 'task.updated', { to: 'open' }, true],
    ['a task that is in review', 'task.updated', { to: 'in_review' }, false],
    ['an agent that is online', 'agent.presence_changed', { to: 'online' }, true],
    ['an agent that arrived', 'agent.arrived', {}, true],
  ] as const)('sends %s to the planner or not', (_, type, data, isPlanned) => {
    expect(routing[type]).toContainEqual(expect.stringMatching(/^plan\.follow$|^task\.plan$/));
    expect(jobOf('plan.follow').wants?.({ type, data, facts: {} })).toBe(isPlanned);
  });

  it('sends the end of a task to the engine when it is a step of a run', () => {
    const consumersFor = (runId?: string) => consumersOf('task.completed', {} as never, { run_id: runId } as never);
    expect(consumersFor('run_1')).toContain('run.advance');
    expect(consumersFor()).not.toContain('run.advance');
  });

  it('gives no outbox row to a consumer that follows the numbers of events, which are all public', () => {
    expect(followers).toEqual(['fan_out.follow', 'plan.follow', 'facts.follow', 'tell.follow']);
    for (const consumer of followers)
      for (const type of typesFor(consumer)) {
        expect(events[type].visibility).toBe('public');
        expect(consumersOf(type, {} as never, {} as never)).not.toContain(consumer);
      }
  });

  it('leaves no consumer without an event', () => {
    const left = followers.map((consumer) => jobOf(consumer).follows?.leavesTo);
    const routed = new Set<string | undefined>([...Object.values(routing).flat(), ...left]);
    expect(consumers.filter((consumer) => !routed.has(consumer))).toEqual([]);
  });
});

describe('stored events of version 1', () => {
  const stored = readExamples<{ data: Record<string, unknown>; facts: unknown }>('events');

  it('exist for every type in test/events, each once', () => {
    expect(stored.map(([type]) => type).sort()).toEqual([...eventTypes].sort());
  });

  it.each(stored)('%s still parses without loss', (type, { data, facts }) => {
    const definition = events[type as EventType];
    expect(definition.data.parse(data)).toEqual(data);
    expect(definition.facts?.parse(facts) ?? null).toEqual(facts);
  });

  it.each(stored)('%s is accepted by this version with unknown fields', (type, { data, facts }) => {
    const definition = events[type as EventType];
    expect(definition.data.parse({ ...data, added_later: { a: 1 } })).toEqual(data);
    if (facts !== null) expect(definition.facts?.parse({ ...facts, added_later: 1 })).toEqual(facts);
  });
});

describe('the catalogue of jobs', () => {
  it('has each job in exactly one queue', () => {
    expect(jobNames.filter((job, index) => jobNames.indexOf(job) !== index)).toEqual([]);
    for (const { job, queue } of jobs) expect(queueOf(job)).toBe(queue);
  });

  it('names each queue as its key', () => {
    for (const [key, { name }] of Object.entries(queues)) expect(name).toBe(key);
  });

  it('refuses an unknown job', () => {
    expect(() => queueOf('nothing' as JobName)).toThrow('belongs to no queue');
  });

  it.each(jobs)('$job has bounded tries and time', ({ definition: { attempts, timeoutMs } }) => {
    expect(attempts).toBeGreaterThanOrEqual(1);
    expect(attempts).toBeLessThanOrEqual(10);
    expect(timeoutMs).toBeGreaterThanOrEqual(1_000);
    expect(timeoutMs).toBeLessThanOrEqual(60_000);
  });

  const examples = readExamples<Record<string, unknown>>('jobs');

  it('has an example of every job in test/jobs, each once', () => {
    expect(examples.map(([job]) => job).sort()).toEqual([...jobNames].sort());
  });

  it.each(examples)('%s has a bounded number of ids of one tenant, at least one', (job, example) => {
    const { payload } = jobOf(job as JobName);
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `evt_${n}`);
    const isValid = (change: object): boolean => payload.safeParse({ ...example, ...change }).success;
    expect(payload.parse(example)).toEqual(example);
    expect(payload.parse({ ...example, added_later: 1 })).toEqual(example);
    expect(isValid({ event_ids: ids(1) })).toBe(true);
    expect(isValid({ event_ids: ids(0) })).toBe(false);
    expect(isValid({ event_ids: ids(501) })).toBe(false);
    expect(isValid({ tenant_id: undefined })).toBe(false);
  });
});

describe('the catalogue of errors', () => {
  const docs = readFileSync(resolve(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
  const rows = docs.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

  it.each(Object.entries(errorCodes))('%s is documented with its status', (code, { status, meaning }) => {
    expect(rows).toContainEqual(['', `\`${code}\``, String(status), meaning, '']);
  });

  it.each(Object.entries(constraintWords))('the constraint %s is documented', (word, meaning) => {
    expect(rows).toContainEqual(['', `\`${word}\``, meaning, '']);
  });
});
