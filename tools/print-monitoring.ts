// Writes the Kubernetes versions of deploy/monitoring: a PrometheusRule, and rules and dashboards for the chart.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import prettier from 'prettier';
import { stringify } from 'yaml';
import { readAlertGroups, readDashboardsByFile } from './monitoring/monitoring-files.ts';

const deploy = resolve(import.meta.dirname, '../deploy');
const groups = readAlertGroups();
const chart = 'helm/engineering-agent-service';
const files = {
  [`${chart}/alerts.yaml`]: ['alerts', { groups }],
  [`${chart}/dashboards.yaml`]: ['grafana/dashboards', readDashboardsByFile()],
  'kubernetes/components/prometheus-rule/prometheus-rule.yaml': [
    'alerts',
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'eas' },
      spec: { groups },
    },
  ],
} as const;

for (const [name, [source, content]] of Object.entries(files)) {
  const filepath = resolve(deploy, name);
  const text = `# Made by tools/print-monitoring.ts from deploy/monitoring/${source}; do not edit.\n${stringify(content)}`;
  writeFileSync(filepath, await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath }));
}
