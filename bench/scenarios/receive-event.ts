import type { Bench, Scenario } from '../harness/bench.ts';
import { measureAgainstLimit } from '../harness/against-limit.ts';
import { formatNumber, quantile, say } from '../harness/report.ts';
import { expectClean, failuresIn } from '../harness/rounds.ts';
import { createPlatformIntegration, type PlatformIntegration, taskUpdated } from '../inbound/platform-integration.ts';
import { sendChanges } from '../inbound/send-changes.ts';

const halfSeconds = 10;

export const scenario: Scenario = {
  name: 'receive-event',
  about: 'POST /webhook/taskplatform: signature checked, receipt, event and outbox row committed before the 200',
  async run(bench) {
    const integration = await createPlatformIntegration(bench.apps);
    const change = { id: '{{number}}', taskId: 'bench{{number}}', date: Date.now() };
    await measureAgainstLimit(bench, {
      app: 'webhook-receiver',
      path: '/webhook/taskplatform',
      headers: {},
      body: { kind: 'platform', template: taskUpdated(integration, change), secret: integration.secret },
      atHalf: (url, perSecond) => measurePaced(bench, { url, integration, perSecond }),
    });
  },
};

type Paced = { url: string; integration: PlatformIntegration; perSecond: number };

async function measurePaced({ options }: Bench, { url, integration, perSecond }: Paced): Promise<void> {
  const { connections } = options;
  const count = Math.round(perSecond * halfSeconds);
  const paced = { url, integration, connections, run: 'half', at: Date.now(), count, everyMs: 1_000 / perSecond };
  const { sent, seconds, statuses } = await sendChanges(paced);
  const times = sent.map(({ tookMs }) => tookMs);
  const [p50, p99] = [0.5, 0.99].map((share) => formatNumber(quantile(times, share)));
  say(
    `  at half of that: ${formatNumber(count / seconds)} a second, p50 ${p50} ms, p99 ${p99} ms, responses ${JSON.stringify(statuses)}`,
  );
  expectClean('at half of the rate', { errors: failuresIn(statuses) });
}
