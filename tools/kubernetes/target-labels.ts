// The labels that a monitor gives to what Prometheus scrapes: alerts ask for some of them by their values.
import { readAlerts } from '../monitoring/monitoring-files.ts';
import { type KubernetesObject, type Labels, titleOf, type Workload, workloadsOf } from './objects.ts';

type Relabeling = { sourceLabels?: string[]; targetLabel: string; replacement?: string };
type Endpoint = { port: string; relabelings?: Relabeling[] };
type Monitor = { selector: { matchLabels: Labels }; podMetricsEndpoints: Endpoint[] };

const podLabel = (name: string) => `__meta_kubernetes_pod_label_${name.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`;

/** Labels of a target as far as relabelings replace whole values. Without any the job is the monitor. */
function targetLabels(monitor: KubernetesObject, { relabelings = [] }: Endpoint, { labels }: Workload): Labels {
  const found = Object.entries(labels).map(([name, value]) => [podLabel(name), value] as const);
  const target: Record<string, string> = { ...Object.fromEntries(found), job: `namespace/${monitor.metadata.name}` };
  for (const { sourceLabels = [], targetLabel, replacement } of relabelings)
    target[targetLabel] = replacement ?? sourceLabels.map((name) => target[name] ?? '').join(';');
  return target;
}

/** Every value of a label that some alert asks for with `=`. */
const askedFor = (label: string): string[] => {
  const pattern = new RegExp(`\\b${label}="([^"]+)"`, 'g');
  return [...new Set(readAlerts().flatMap(({ expr }) => [...expr.matchAll(pattern)].map(([, value = '']) => value)))];
};

/** Jobs and apps that alerts ask for and no target of a monitor has, and the other way round; targets of no installation. */
export function targetFindings(objects: readonly KubernetesObject[]): string[] {
  const apps = workloadsOf(objects).filter(({ title }) => title.startsWith('Deployment '));
  return objects
    .filter(({ kind }) => kind === 'PodMonitor')
    .flatMap((monitor) => {
      const { selector, podMetricsEndpoints } = monitor.spec as unknown as Monitor;
      const selected = apps.filter(({ labels }) =>
        Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value),
      );
      const targets = podMetricsEndpoints.flatMap((endpoint) =>
        selected.map((pod) => targetLabels(monitor, endpoint, pod)),
      );
      const unnamed = targets.some((target) => target['installation'] === undefined);
      if (unnamed) return [`${titleOf(monitor)}: a target has no label installation`];
      return ['job', 'app'].flatMap((label) => {
        const given = new Set(targets.map((target) => target[label] ?? ''));
        const asked = askedFor(label);
        return [
          ...asked
            .filter((value) => !given.has(value))
            .map((value) => `alerts ask for ${label}="${value}", no target has it`),
          ...[...given]
            .filter((value) => !asked.includes(value))
            .map((value) => `no alert asks for ${label}="${value}"`),
        ].map((line) => `${titleOf(monitor)}: ${line}`);
      });
    });
}
