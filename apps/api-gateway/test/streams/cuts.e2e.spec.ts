import { eventually } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Json, useGateway } from '../gateway.ts';
import { openStream, type Received, type SseClient } from './sse-client.ts';
import { useStreamGateways } from './stream-gateways.ts';

const gateway = useGateway();
/** They do not poll without a wake-up, so that a lost wake-up is noticed. */
const gateways = useStreamGateways(gateway.test, 2, { pollMs: 600_000 });
const tenant = { id: '', key: '' };

beforeEach(async () => {
  tenant.id = await gateway.test.createTenant();
  tenant.key = await gateway.makeKey(['events:read', 'tasks:read', 'tasks:write'], { tenantId: tenant.id });
});

const makeTask = (title: string) => gateway.make('/v1/tasks', { title, description: 'd' }, tenant);
const comment = (taskId: string, content: string) =>
  gateway.make(`/v1/tasks/${taskId}/comments`, { content }, { key: tenant.key });

/** Follows a path through 50 cuts, each time on the other gateway, until `isDone`; gives all that came. */
async function followCut(path: string, isDone: (all: Received[]) => boolean, from?: string): Promise<Received[]> {
  const all: Received[] = [];
  let lastEventId = from;
  for (let cut = 0; ; cut += 1) {
    const headers = { 'x-api-key': tenant.key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    const client: SseClient = await openStream(`${gateways[cut % 2]?.url}${path}`, headers);
    expect(client.status).toBe(200);
    const isLast = cut >= 50;
    const wanted = isLast ? Infinity : Math.floor(Math.random() * 4);
    await eventually(
      () =>
        (wanted === 0 ? client.lastEventId() !== '' : client.received.length >= wanted) ||
        isDone([...all, ...client.received]),
    );
    client.cut();
    await client.ended;
    all.push(...client.received);
    lastEventId = client.lastEventId();
    if (isLast && isDone(all)) return all;
  }
}

describe('a stream that is cut 50 times, each time going on at another gateway', () => {
  it('of a task loses and repeats nothing', async () => {
    const { id } = await makeTask('t');
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; n < 150; n += 1) await comment(id, `comment ${n}`);
      isWriting = false;
    })();
    const all = await followCut(`/v1/tasks/${id}/events`, (seen) => !isWriting && seen.length >= 151);
    await writing;
    expect(all.map(({ id: number }) => Number(number))).toEqual(Array.from({ length: 151 }, (_, index) => index + 1));
    const timeline: Json[] = [];
    for (const offset of [0, 100])
      timeline.push(
        ...(await gateway.get(`/v1/tasks/${id}/timeline?sort=seq&limit=100&offset=${offset}`, tenant)).body.data,
      );
    expect(all.map(({ data }) => data)).toEqual(timeline);
    expect(all.map(({ event }) => event)).toEqual(timeline.map(({ type }) => type));
  });

  it('of a tenant loses and repeats nothing, from any number of writers', async () => {
    let left = 4;
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        const { id } = await makeTask(`task ${writer}`);
        for (let n = 0; n < 40; n += 1) await comment(id, `${writer} ${n}`);
        left -= 1;
      }),
    );
    const all = await followCut('/v1/events/stream', (seen) => left === 0 && seen.length >= 4 * 41, '0');
    await writing;
    expect(all).toHaveLength(4 * 41);
    const ids = all.map(({ data }) => data.event_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all.map(({ id }) => Number(id))).toEqual(await numbers());
    for (const { event, data } of all.slice(0, 5)) {
      expect(data).toEqual((await gateway.get(`/v1/events/${data.event_id}`, { key: tenant.key })).body);
      expect(event).toBe(data.event_type);
    }
  });
});

const numbers = async () =>
  (
    await gateway.test.database.db.query<{ number: number }>(
      'SELECT number::int FROM event_numbers WHERE tenant_id = $1 ORDER BY number',
      [tenant.id],
    )
  ).map(({ number }) => number);
