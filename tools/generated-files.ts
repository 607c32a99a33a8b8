// Every committed file that a command makes. The command is a script of this workspace with its arguments; it writes the files.
export type Generated = { command: readonly string[]; files: readonly string[] };

export const GENERATED: readonly Generated[] = [
  { command: ['tools/print-settings.ts'], files: ['docs/settings.md'] },
  { command: ['tools/print-commands.ts'], files: ['docs/operate/commands.md'] },
  { command: ['tools/print-errors.ts'], files: ['docs/errors.md'] },
  { command: ['tools/print-events.ts'], files: ['docs/events.md'] },
  { command: ['tools/print-metrics.ts'], files: ['docs/operate/metrics.md'] },
  {
    command: ['tools/print-monitoring.ts'],
    files: [
      'deploy/helm/engineering-agent-service/alerts.yaml',
      'deploy/helm/engineering-agent-service/dashboards.yaml',
      'deploy/kubernetes/components/prometheus-rule/prometheus-rule.yaml',
    ],
  },
  { command: ['tools/print-decisions.ts'], files: ['docs/adr/README.md'] },
  { command: ['tools/print-openapi.ts'], files: ['docs/openapi.json'] },
];
