// The files of deploy/monitoring as data: alerts, and what dashboards ask.
import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { metricCatalogue, type MetricDef } from '@eas/contracts';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');
const monitoringFolder = join(root, 'deploy/monitoring');
export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

export type Alert = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
};
type RecordingRule = { record: string; expr: string };
type Panel = { title: string; targets: { expr: string }[] };
export type Dashboard = {
  uid: string;
  title: string;
  templating: { list: { name: string }[] };
  panels: Panel[];
};

const files = (pattern: string): string[] => globSync(pattern, { cwd: monitoringFolder }).sort();
const read = (file: string): string => readFileSync(join(monitoringFolder, file), 'utf8');

type Group = { name: string; rules: (Alert | RecordingRule)[] };

export const readAlertGroups = (): Group[] =>
  files('alerts/*.yml').flatMap((file) => (parse(read(file)) as { groups: Group[] }).groups);

const readRules = () => readAlertGroups().flatMap(({ rules }) => rules);
export const readAlerts = (): Alert[] => readRules().filter((rule) => 'alert' in rule);
/** What Prometheus computes once for several alerts and panels. */
export const readRecordingRules = (): RecordingRule[] => readRules().filter((rule) => 'record' in rule);

/** By the name of its file. */
export const readDashboardsByFile = (): Record<string, Dashboard> =>
  Object.fromEntries(
    files('grafana/dashboards/*.json').map((file) => [basename(file), JSON.parse(read(file)) as Dashboard]),
  );

export const readDashboards = (): Dashboard[] => Object.values(readDashboardsByFile());

export type AlertTests = { name: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] };

export const readAlertTests = (): AlertTests[] =>
  files('tests/*.test.yml').flatMap((file) => (parse(read(file)) as { tests: AlertTests[] }).tests);

/** What Prometheus itself and prom-client add. */
const known = ['up', 'nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total'];
const asked = /\b(?:eas|nodejs|process)_\w+|\bup\b/g;
const labelPair = /\b(\w+)\s*(?:=~|!~|!=|=)\s*"/g;
const added = ['le', 'job', 'app', 'instance', 'installation'];
const recordedName = /\b\w+:[\w:]+/g;
const recorded = readRecordingRules().map(({ record }) => record);

/** Names in an expression that no app exports, and labels that its metrics do not have. */
export function unknownIn(expression: string): string[] {
  const plain = expression.replaceAll(/"[^"]*"/g, '""');
  const computed = plain.match(recordedName) ?? [];
  const names = [...new Set(plain.replaceAll(recordedName, '').match(asked) ?? [])];
  const found = names.map((name) => [name, definitionOf(name)] as const);
  const labels = new Set([...added, ...found.flatMap(([, metric]) => metric?.labels ?? [])]);
  const matched = [...expression.matchAll(labelPair)].map(([, label = '']) => label);
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  return [
    ...(names.length + computed.length === 0 ? [expression] : []),
    ...computed.filter((name) => !recorded.includes(name)),
    ...found.filter(([name, metric]) => !metric && !known.includes(name)).map(([name]) => name),
    ...[...matched, ...grouped].filter((label) => !labels.has(label)),
  ];
}

function definitionOf(series: string): MetricDef | undefined {
  const all = new Map<string, MetricDef>(Object.entries(metricCatalogue));
  const [, histogram = ''] = /^(.*)_(?:bucket|sum|count)$/.exec(series) ?? [];
  const metric = all.get(histogram);
  const own = all.get(series);
  return metric?.type === 'histogram' ? metric : own?.type === 'histogram' ? undefined : own;
}
