import { setTimeout as sleep } from 'node:timers/promises';
import { createEgress, type Egress, type EgressResult } from '@eas/egress';
import { type HostileEnd, hostileResolver } from '@eas/testing/hostile-receivers';
import { doAsChild } from '../harness/child-task.ts';
import type { HostileLoad, HostileResult } from './hostile-load.ts';

/** Pause between two requests: those that fail at once would use all processor time. */
const pauseMs = 50;
const body = JSON.stringify({ event_type: 'task.created', data: { title: 'x'.repeat(1_000) } });

doAsChild<HostileLoad>(async ({ targets, parallel, seconds }) => {
  // The limits are those of production.
  const egress = createEgress({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'], resolve: hostileResolver() });
  const endsAt = performance.now() + seconds * 1_000;
  const results = await Promise.all(
    targets.map(async (target) => {
      const result: HostileResult = { name: target.name, requests: 0, longestMs: 0, unexpected: [] };
      await Promise.all(Array.from({ length: parallel }, () => sendUntil(endsAt, egress, target, result)));
      return result;
    }),
  );
  await egress.close();
  return results;
});

async function sendUntil(
  endsAt: number,
  egress: Egress,
  { url, ends }: HostileLoad['targets'][number],
  result: HostileResult,
): Promise<void> {
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const end = endOf(await egress.send({ method: 'POST', url, headers: {}, body }));
    result.requests += 1;
    result.longestMs = Math.max(result.longestMs, performance.now() - startedAt);
    const text = JSON.stringify(end);
    if (!ends.some((expected) => JSON.stringify(expected) === text)) result.unexpected.push(text);
    await sleep(pauseMs);
  }
}

function endOf(result: EgressResult): HostileEnd {
  return result.kind === 'failure' ? result.reason : { status: result.status, isBodyCut: result.isBodyCut };
}
