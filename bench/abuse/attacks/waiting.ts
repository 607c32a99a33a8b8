import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Attack, call, hammer, reasonOf, rest } from './attack.ts';

/** More streams than one tenant may have open. */
export const manyStreams: Attack = {
  name: 'many-streams',
  about: '1,000 event streams of one tenant',
  allowed: [200, 409, 429, 503],
  run: async (target) => {
    const { url, apiKeys, signal, count } = target;
    const streams = Array.from({ length: 1_000 }, async (_, number) => {
      await rest(number * 2, signal);
      const headers = { 'x-api-key': apiKeys[number % apiKeys.length] ?? '' };
      try {
        const response = await fetch(`${url}/v1/events/stream`, { headers, signal });
        count(response.status);
        await response.text();
      } catch (error) {
        if (!signal.aborted) count(reasonOf(error));
      }
    });
    await Promise.all(streams);
  },
};

/** More claims than one tenant may have waiting. */
export const manyClaims: Attack = {
  name: 'many-claims',
  about: '3,000 claims of one agent that wait for work',
  allowed: [200, 204, 409, 429, 503],
  prepare: async (target) => {
    const { body } = await call(target, 'POST', '/v1/agents', { name: 'Noisy', role: 'without-tasks' });
    return (JSON.parse(body) as { id: string }).id;
  },
  run: (target, agentId) =>
    hammer(target, 3_000, (number) =>
      call(target, 'POST', `/v1/agents/${agentId}/claims`, { wait_seconds: 30 }, number),
    ),
};

/** Endpoints that accept the connection and never respond, up to the limit of a tenant. */
export const tarpits: Attack = {
  name: 'tarpits',
  about: '150 endpoints that never respond, and tasks for them',
  allowed: [201, 409, 429],
  prepare: async (target) => {
    const server = createServer(() => {});
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    for (let number = 0; number < 150; number += 1) {
      const body = { url: `http://127.0.0.1:${port}/${number}`, events: ['*'], secret: 'a secret of the attacker' };
      target.count((await call(target, 'POST', '/v1/webhooks', body, number)).status);
    }
  },
  run: (target) =>
    hammer(target, 2, async (number) => {
      await rest(100, target.signal);
      return call(target, 'POST', '/v1/tasks', { title: 'For the tarpits', description: 'For an endpoint.' }, number);
    }),
};
