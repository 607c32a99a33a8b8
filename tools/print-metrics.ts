// Writes docs/operate/metrics.md from the catalogue of metrics.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { metricApps, metricCatalogue, type MetricDef } from '@eas/contracts';
import prettier from 'prettier';

const file = resolve(import.meta.dirname, '../docs/operate/metrics.md');
const cell = (text: string) => text.replaceAll('|', '\\|');
const appsOf = ({ apps }: MetricDef) => (apps.length === metricApps.length ? 'all' : apps.join(', '));

const rows = Object.entries<MetricDef>(metricCatalogue)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, metric]) => {
    const labels = (metric.labels ?? []).map((label) => `\`${label}\``).join(', ');
    const how = metric.aggregate ?? (metric.isShared ? 'max' : name === 'eas_build_info' ? '–' : 'sum');
    return `| \`${name}\` | ${metric.type} | ${labels} | ${cell(metric.help)} | ${how} | ${appsOf(metric)} |`;
  });

const text = `<!-- Made by tools/print-metrics.ts from libs/shared/contracts/src/metrics; do not edit. -->

# Metrics

Each app exports its metrics at \`/metrics\` on its health port. Names and labels only change with an entry in the changelog:
alerts, dashboards and KEDA rely on them. Times are in seconds. No label contains a tenant, an id, a path or a text of
a user, so the number of series does not grow with use.

**Aggregate** says how to combine the processes. \`sum\`: each process counts its own part. \`max\`: every replica reads the state
of the whole installation from the database or the queue store, so their sum counts it several times:

\`\`\`promql
max by (queue) (eas_queue_jobs{state="waiting"})
sum by (queue) (rate(eas_jobs_total{outcome="failed"}[5m]))
histogram_quantile(0.99, sum by (le) (rate(eas_delivery_latency_seconds_bucket[5m])))
\`\`\`

A gauge that cannot be read within 2 s keeps its last value, and \`eas_metrics_missed_total\` counts it. \`eas_ready\` shows that the
database or the queue store is away: the other numbers do not, since apps that are not ready get no requests.

| metric | type | labels | meaning | aggregate | apps |
|---|---|---|---|---|---|
${rows.join('\n')}

Each app also exports \`process_*\` and \`nodejs_*\`: memory, CPU, open files, event loop lag, garbage collection.
`;
mkdirSync(dirname(file), { recursive: true });
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(text, { ...options, filepath: file }));
