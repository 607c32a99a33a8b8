import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clearTables } from '../harness/backlog.ts';
import type { Scenario } from '../harness/bench.ts';
import { say } from '../harness/report.ts';
import { compare } from '../harness/rounds.ts';
import { benchTask } from '../harness/work-task.ts';

export const scenario: Scenario = {
  name: 'tracing-cost',
  about: 'POST /v1/tasks of a gateway that records a tenth of the traces, next to one that records none',
  async run(bench) {
    const { apps } = bench;
    const collector = await startCollector();
    const off = await apps.start('api-gateway');
    const side = (label: string, { url, pid }: typeof off) => ({
      label,
      pid,
      load: {
        url: `${url}/v1/tasks`,
        headers: { 'x-api-key': apps.apiKey },
        body: { kind: 'plain' as const, text: JSON.stringify(benchTask('rd')) },
      },
    });
    const tried = [
      { label: 'off too', settings: {} },
      { label: 'a tenth', settings: collector.settings('0.1') },
      { label: 'all', settings: collector.settings('1') },
    ];
    for (const { label, settings } of tried) {
      const other = await apps.start('api-gateway', settings);
      const { ratio } = await compare(bench, { limit: side('off', off), real: side(label, other) });
      say(`  ${label}: ${((1 - ratio) * 100).toFixed(1)} % fewer than without; ${collector.takeRequests()} exports`);
      await other.stop();
    }
    await apps.stopAll();
    collector.close();
    await clearTables(bench);
  },
};

/** Takes what it is sent, and says how often. */
async function startCollector() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: (share: string) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    }),
    takeRequests() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    close: () => void server.close(),
  };
}
