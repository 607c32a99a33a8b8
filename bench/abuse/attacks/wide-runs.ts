import { type Attack, call, rest } from './attack.ts';

const steps = 100;
const startsPerSecond = 11;

const definition = {
  name: 'Wide',
  description: 'As many steps at once as a workflow may have.',
  estimated_duration: '1 day',
  steps: [
    { id: 'root', name: 'Root', role: 'root', task: { title: 'Root', description: 'Begin.' } },
    ...Array.from({ length: steps - 1 }, (_, n) => ({
      id: `s${n}`,
      name: `Step ${n}`,
      role: 'attacker',
      needs: ['root'],
      task: { title: `Step ${n}`, description: 'One of many.' },
    })),
  ],
};

/** Work caused by a call counts towards no rate limit: each start and completion makes a hundred tasks and events. */
export const wideRuns: Attack = {
  name: 'wide-runs',
  about: `${startsPerSecond} runs a second whose first step leads to ${steps - 1} others`,
  allowed: [200, 201, 204, 429],
  prepare: async (target) => {
    const created = await call(target, 'POST', '/v1/workflows', definition);
    const agent = await call(target, 'POST', '/v1/agents', {
      name: 'attacker',
      role: 'root',
      max_concurrent_tasks: 100,
    });
    return [created, agent].map(({ body }) => (JSON.parse(body) as { id: string }).id);
  },
  run: async (target, prepared) => {
    const [workflowId, agentId] = prepared as string[];
    for (let number = 0; !target.signal.aborted; number += 1) {
      void run(number).catch(() => target.count('broken'));
      await rest(1_000 / startsPerSecond, target.signal);
    }

    async function run(number: number): Promise<void> {
      const started = await counted('POST', `/v1/workflows/${workflowId}/start`, { name: `run ${number}` });
      if (started.status !== 201) return;
      const claimed = await counted('POST', `/v1/agents/${agentId}/claims`, { wait_seconds: 5 });
      if (claimed.status !== 200) return;
      const { lease } = JSON.parse(claimed.body) as { lease: { lease_id: string; fencing_token: number } };
      const body = { fencing_token: lease.fencing_token, summary: 'done' };
      await counted('POST', `/v1/leases/${lease.lease_id}/complete`, body);

      async function counted(method: string, path: string, sent: unknown) {
        const response = await call(target, method, path, sent, number);
        target.count(response.status);
        return response;
      }
    }
  },
};
