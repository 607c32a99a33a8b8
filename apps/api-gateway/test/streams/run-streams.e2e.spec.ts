import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { runScene, step } from '../runs/run-scene.ts';
import { openStream, type SseClient } from './sse-client.ts';
import { useStreamGateways } from './stream-gateways.ts';

const gateway = useGateway();
const gateways = useStreamGateways(gateway.test, 2, { heartbeatMs: 100 });

/** A run of steps one after the other, and clients of two processes that follow it. */
async function followedRun(keys: string[]) {
  const scene = await runScene(gateway);
  const { role, define, start } = scene;
  const run = await start(
    await define(keys.map((key, at) => step(key, role, at === 0 ? {} : { needs: [keys[at - 1] as string] }))),
  );
  const key = await gateway.makeKey(['workflows:read']);
  const path = `/v1/runs/${run.workflow_run_id}/events`;
  const follow = (process: number, headers: Record<string, string> = {}): Promise<SseClient> =>
    openStream(`${gateways[process]?.url}${path}`, { 'x-api-key': key, ...headers });
  return { ...scene, run, key, path, follow };
}

describe('GET /v1/runs/{run_id}/events', () => {
  it('sends what happened from the beginning and what happens, as the timeline shows it', async () => {
    const { run, follow, work } = await followedRun(['a', 'b']);
    const client = await follow(0);
    expect(client.headers.get('content-type')).toBe('text/event-stream');
    await eventually(() => client.received.length >= 2);
    await work();
    await work();
    await eventually(() => client.received.at(-1)?.event === 'completed');
    const { body } = await gateway.get(`/v1/runs/${run.workflow_run_id}/timeline?sort=seq`);
    expect(client.received.map(({ data }) => data)).toEqual(body.data);
    expect(client.received.map(({ id, event }) => [id, event])).toEqual(
      body.data.map(({ seq, type }: Json) => [String(seq), type]),
    );
    client.cut();
  });

  it('goes on at another process without gap or repeat, wherever it was cut', async () => {
    const { run, follow, work } = await followedRun(['a', 'b', 'c', 'd']);
    const seen: string[] = [];
    let lastEventId = '';
    for (let cut = 0; cut < 5; cut += 1) {
      const client = await follow(cut % 2, lastEventId === '' ? {} : { 'last-event-id': lastEventId });
      await eventually(() => client.received.length > 0);
      if (cut < 4) await work();
      else await eventually(() => client.received.at(-1)?.event === 'completed');
      client.cut();
      await client.ended;
      // What came before the cut counts, wherever in the middle that was.
      const kept = cut < 4 ? client.received.slice(0, 1) : client.received;
      seen.push(...kept.map(({ id }) => id));
      lastEventId = seen.at(-1) ?? '';
    }
    const { body } = await gateway.get(`/v1/runs/${run.workflow_run_id}/timeline?sort=seq`);
    expect(seen).toEqual(body.data.map(({ seq }: Json) => String(seq)));
  });

  it('sends nothing of other runs', async () => {
    const one = await followedRun(['a']);
    const other = await followedRun(['a']);
    const client = await one.follow(0);
    await eventually(() => client.received.length >= 2);
    await other.work();
    await one.work();
    await eventually(() => client.received.at(-1)?.event === 'completed');
    const { body } = await gateway.get(`/v1/runs/${one.run.workflow_run_id}/timeline?sort=seq`);
    expect(client.received.map(({ data }) => data)).toEqual(body.data);
    client.cut();
  });

  it('refuses a number that nothing has yet, and who may not read runs', async () => {
    const { path } = await followedRun(['a']);
    const headers = { 'last-event-id': '99' };
    expectError(await gateway.get(path, { headers }), 400, 'invalid_request', {
      field: 'Last-Event-ID',
      constraint: 'max',
    });
    const refused = await gateway.get(path, { key: await gateway.makeKey(['tasks:read', 'workflows:run']) });
    expectError(refused, 403, 'forbidden');
    expect(refused.body.error.message).toContain('workflows:read');
  });
});
