// Writes the Kubernetes versions of deploy/monitoring/alerts: a PrometheusRule, and the rules for the chart.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import prettier from 'prettier';
import { stringify } from 'yaml';
import { readAlertGroups } from './monitoring/monitoring-files.ts';

const deploy = resolve(import.meta.dirname, '../deploy');
const groups = readAlertGroups();
const files = {
  'helm/engineering-agent-service/alerts.yaml': { groups },
  'kubernetes/components/prometheus-rule/prometheus-rule.yaml': {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'eas' },
    spec: { groups },
  },
};

for (const [name, content] of Object.entries(files)) {
  const filepath = resolve(deploy, name);
  const text = `# Made by tools/print-alert-rules.ts from deploy/monitoring/alerts; do not edit.\n${stringify(content)}`;
  writeFileSync(filepath, await prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath }));
}
