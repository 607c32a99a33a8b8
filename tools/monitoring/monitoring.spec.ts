import { globSync } from 'node:fs';
import { metricCatalogue, type MetricDef } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  readAlerts,
  readAlertTests,
  readDashboards,
  readRecordingRules,
  readText,
  unknownIn,
} from './monitoring-files.ts';

const alerts = readAlerts();
const dashboards = readDashboards();
const panels = dashboards.flatMap((dashboard) => dashboard.panels.map((panel) => ({ dashboard, panel })));
const runbook = readText('docs/operate/runbook.md');
const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);

describe('the expressions of alerts and dashboards', () => {
  it('ask for metrics that apps export, by labels that these have', () => {
    const exprs = [
      ...[...alerts, ...readRecordingRules()].map(({ expr }) => expr),
      ...panels.flatMap(({ panel }) => panel.targets.map((t) => t.expr)),
    ];
    expect(exprs.length).toBeGreaterThan(50);
    expect(exprs.flatMap((expr) => unknownIn(expr).map((unknown) => `${unknown} in ${expr}`))).toEqual([]);
  });

  it.each([
    ['sum(rate(eas_invented_total[5m]))', ['eas_invented_total']],
    ['eas_queue_jobs{tenant="a"}', ['tenant']],
    ['sum by (tenant) (eas_tasks)', ['tenant']],
    ['rate(eas_job_seconds[5m])', ['eas_job_seconds']],
    ['1 > 0', ['1 > 0']],
    ['installation:eas_invented:rate5m', ['installation:eas_invented:rate5m']],
  ])('would be refused otherwise: %s', (expr, unknown) => {
    expect(unknownIn(expr)).toEqual(unknown);
  });

  it('keep installations apart: rules by the label of the targets, panels by the variable of their dashboard', () => {
    const aggregations = /\b(?:sum|min|max|count|avg|group)(?: by \(([^)]*)\))?(?= *\()/g;
    const rules = [...alerts, ...readRecordingRules()].map(({ expr }) => expr);
    const merged = rules.filter((expr) =>
      [...expr.matchAll(aggregations)].some(([, labels = '']) => !labels.split(', ').includes('installation')),
    );
    expect(merged).toEqual([]);
    const unfiltered =
      /(?<![:\w])(?:up|installation:\w+:\w+|(?:eas|nodejs|process)_\w+)\b(?!\{installation=~"\$installation"[,}])/;
    expect(
      panels.flatMap(({ panel }) => panel.targets.map((t) => t.expr)).filter((expr) => unfiltered.test(expr)),
    ).toEqual([]);
    for (const { templating } of dashboards)
      expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'installation']);
  });

  it('count no route as slow whose callers ask it to wait', () => {
    const exprs = [...alerts, ...readRecordingRules(), ...panels.flatMap(({ panel }) => panel.targets)];
    const left = new Set(
      exprs.flatMap(({ expr }) => [...expr.matchAll(/route!~"([^"]+)"/g)].map(([, one = '']) => one)),
    );
    const { paths } = JSON.parse(readText('docs/openapi.json')) as { paths: object };
    const waiting = Object.entries(paths).flatMap(([path, operations]) =>
      /"wait_seconds"|text\/event-stream/.test(JSON.stringify(operations)) ? [path] : [],
    );
    expect(waiting.length).toBeGreaterThan(4);
    expect([...left].map((pattern) => waiting.filter((path) => !new RegExp(`^(?:${pattern})$`).test(path)))).toEqual([
      [],
    ]);
  });

  it('show every metric of ours in some dashboard', () => {
    const shown = panels.flatMap(({ panel }) => panel.targets.map((target) => target.expr)).join('\n');
    const missing = Object.keys(metricCatalogue).filter((name) => !new RegExp(`\\b${name}`).test(shown));
    expect(missing).toEqual([]);
  });
});

describe('the scrape jobs', () => {
  type Relabeling = { source_labels?: string[]; target_label?: string };
  type Job = { job_name: string; relabel_configs: Relabeling[] };
  const jobsOf = (file: string) =>
    (parse(readText(`deploy/monitoring/${file}`)) as { scrape_configs: Job[] }).scrape_configs;

  it.each([
    ['prometheus.yml', '__meta_dns_name'],
    ['prometheus-kubernetes.yml', '__meta_kubernetes_pod_label_app_kubernetes_io_component'],
  ])('of %s have the name and the labels that alerts ask for', (file, source) => {
    const jobs = jobsOf(file);
    expect(jobs.map(({ job_name: name }) => name)).toEqual(['eas']);
    expect(alerts.some(({ expr }) => expr.includes('job="eas"'))).toBe(true);
    expect(jobs[0]?.relabel_configs).toContainEqual({ source_labels: [source], target_label: 'app' });
    expect(jobs[0]?.relabel_configs.map(({ target_label: label }) => label)).toContain('installation');
  });
});

describe('an alert', () => {
  it('asks for the increase of counters whose series are there before the first count', () => {
    const names = alerts.flatMap(({ expr }) => [...expr.matchAll(/increase\((eas_\w+)/g)].map(([, name = '']) => name));
    expect(names.length).toBeGreaterThan(4);
    const catalogue: Record<string, MetricDef> = metricCatalogue;
    expect(names.filter((name) => catalogue[name]?.labels && !catalogue[name].values)).toEqual([]);
  });

  it('has a name of its own, a severity, a summary, a description and a link to its section of the runbook', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect([alert, annotations.summary.length > 5, annotations.description.endsWith('.')]).toEqual([
        alert,
        true,
        true,
      ]);
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.eas_runbook }}#${alert.toLowerCase()}`);
    }
  });

  it('links to the runbook that the operator names to Prometheus', () => {
    const { global } = parse(readText('deploy/monitoring/prometheus.yml')) as {
      global: { external_labels: Record<string, string> };
    };
    expect(global.external_labels['eas_runbook']).toMatch(/^https:\/\/.*runbook\.md$/);
  });

  it('has a section in the runbook, and each section has an alert', () => {
    expect(headings.toSorted()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it('has a test that it fires, and one that it does not', () => {
    const tests = readAlertTests().flatMap((one) => one.alert_rule_test);
    const withTests = (fires: boolean) =>
      new Set(tests.filter(({ exp_alerts: all }) => all.length > 0 === fires).map(({ alertname }) => alertname));
    const names = alerts.map(({ alert }) => alert).sort();
    expect([[...withTests(true)].sort(), [...withTests(false)].sort()]).toEqual([names, names]);
  });
});

describe('the runbook', () => {
  const sections = runbook.split(/^## /m).slice(1);

  it('explains each alert: its meaning, what to check and what to do', () => {
    const short = sections.filter((text) => !/\*\*Meaning\.\*\*[^]+\*\*Look at\.\*\*[^]+\*\*Do\.\*\*/.test(text));
    expect(short).toEqual([]);
  });

  it('names panels of dashboards that exist', () => {
    const titles = dashboards.map(({ title, panels: own }) => [
      title.replace('EAS / ', ''),
      own.map((one) => one.title),
    ]);
    const known = Object.fromEntries(titles) as Record<string, string[]>;
    const named = [...runbook.matchAll(/\*([\w ]+) → ([^*]+)\*/g)];
    expect(named.length).toBeGreaterThan(10);
    const wrong = named.flatMap(([, dashboard = '', list = '']) =>
      list
        .split(/,\s+/)
        .filter((title) => !known[dashboard]?.some((one) => one.startsWith(title.replace(/\s+/g, ' ')))),
    );
    expect(wrong).toEqual([]);
  });

  it('names log lines that the apps write', () => {
    const code = globSync('{apps,libs}/**/src/**/*.ts', { exclude: (path) => path.includes('node_modules') })
      .map(readText)
      .join('\n');
    const named = [...runbook.matchAll(/\b[Ll]ogs? `([a-z ,:]+)`(?: (?:and|or) `([a-z ,:]+)`)?/g)];
    const lines = named.flatMap(([, first, second]) => [first, second]).filter((line) => line !== undefined);
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter((line) => !code.includes(`'${line}'`))).toEqual([]);
  });
});
