import { type AppName, workerApps } from '../harness/apps.ts';
import type { Scenario } from '../harness/bench.ts';
import { median, table } from '../harness/report.ts';

const names: readonly AppName[] = ['api-gateway', 'webhook-receiver', ...workerApps];
const times = 5;

export const scenario: Scenario = {
  name: 'start-up',
  about: `an app starts ${times} times with nothing else running: seconds until /readyz responds with 200`,
  async run({ apps }) {
    const rows: string[][] = [];
    for (const name of names) {
      const took: number[] = [];
      for (let time = 0; time < times; time += 1) {
        const startedAt = performance.now();
        const app = await apps.start(name);
        took.push((performance.now() - startedAt) / 1_000);
        await app.stop();
      }
      rows.push([name, median(took).toFixed(2), Math.max(...took).toFixed(2)]);
    }
    table([['app', 'median s', 'longest s'], ...rows]);
  },
};
