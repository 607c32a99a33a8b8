// Objects that every app needs next to its pods: schemas do not notice a missing object.
import type { QueueName } from '@eas/contracts';
import { appNames } from './app-names.ts';
import { type KubernetesObject, type Labels, type Selector, titleOf, workloadsOf } from './objects.ts';
import { matches } from './references.ts';

type Objects = readonly KubernetesObject[];

/** The queue that a worker works on; the other apps respond to requests. */
const queueOf: Readonly<Record<string, QueueName>> = {
  'workflow-orchestrator': 'workflow',
  'webhook-dispatcher': 'webhooks',
  'analytics-aggregator': 'analytics',
};

type App = { app: string; name: string; replicas: number | undefined; labels: Labels; spread: Spread[] };
type Spread = { topologyKey: string; labelSelector?: Selector };

function appsOf(objects: Objects): App[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const { template, replicas } = spec ?? {};
    const app = template?.spec.containers[0]?.args?.[0];
    if (kind !== 'Deployment' || !template || app === undefined) return [];
    const spread = template.spec.topologySpreadConstraints ?? [];
    return [{ app, name: metadata.name, replicas, labels: template.metadata.labels, spread }];
  });
}

function deploymentFindings(objects: Objects): string[] {
  const found = appsOf(objects).map(({ app }) => app);
  return [
    ...appNames.filter((app) => !found.includes(app)).map((app) => `no Deployment runs ${app}`),
    ...found.filter((app) => !appNames.includes(app)).map((app) => `a Deployment runs ${app}, which is no app`),
  ];
}

const selects = (selector: unknown, labels: Labels): boolean =>
  matches(labels, (selector as Selector | undefined)?.matchLabels ?? {});

const evictionFindings = (objects: Objects): string[] =>
  appsOf(objects).flatMap(({ app, labels }) => {
    const budgets = objects.filter(
      ({ kind, spec }) => kind === 'PodDisruptionBudget' && selects(spec?.selector, labels),
    );
    const limits = budgets.map(({ spec }) => spec?.maxUnavailable).join(', ');
    return limits === '1'
      ? []
      : [`${app}: PodDisruptionBudgets allow "${limits}" pods to be away, expected one with 1`];
  });

const spreadOver = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];

const spreadFindings = (objects: Objects): string[] =>
  appsOf(objects).flatMap(({ app, labels, spread }) =>
    spreadOver
      .filter((key) => !spread.some((one) => one.topologyKey === key && selects(one.labelSelector, labels)))
      .map((key) => `${app}: pods are not spread over ${key}`),
  );

/** A Deployment that sets its number of pods is not scaled. */
function scalerFindings(objects: Objects, kind: string, wanted: (app: App, scaler: KubernetesObject) => string[]) {
  const isWorker = kind === 'ScaledObject';
  return appsOf(objects)
    .filter(({ app, replicas }) => replicas === undefined && app in queueOf === isWorker)
    .flatMap((app) => {
      const scaler = objects.find((one) => one.kind === kind && one.spec?.scaleTargetRef?.name === app.name);
      return scaler ? wanted(app, scaler) : [`no ${kind} scales ${app.app}`];
    });
}

const httpScaleFindings = (objects: Objects): string[] =>
  scalerFindings(objects, 'HorizontalPodAutoscaler', (_, { spec }) =>
    spec?.metrics?.some(({ resource }) => resource?.name === 'cpu')
      ? []
      : [`${spec?.scaleTargetRef?.name}: not by CPU`],
  );

const metricOf = { depth: 'eas_queue_jobs', age: 'eas_queue_oldest_seconds' };

const workerScaleFindings = (objects: Objects): string[] =>
  scalerFindings(objects, 'ScaledObject', ({ app }, { spec }) =>
    Object.entries(metricOf)
      .map(([name, metric]) => [name, `${metric}{queue="${queueOf[app]}"`] as const)
      .filter(([name, asked]) => {
        const trigger = spec?.triggers?.find((one) => one.name === name);
        return !trigger?.metadata.query.includes(asked);
      })
      .map(([name, asked]) => `${app}: no trigger ${name} with ${asked}`),
  );

const denyFindings = (objects: Objects): string[] =>
  workloadsOf(objects).flatMap(({ title, labels }) => {
    const isDenied = objects.some(({ kind, spec }) => {
      const deniesAll = spec?.policyTypes?.join() === 'Ingress,Egress' && !spec.ingress && !spec.egress;
      return kind === 'NetworkPolicy' && deniesAll && selects(spec?.podSelector, labels);
    });
    return isDenied ? [] : [`${title}: no NetworkPolicy denies what others do not allow`];
  });

function routeFindings(objects: Objects): string[] {
  const wanted = { '/webhook': 'webhook-receiver', '/': 'api-gateway' };
  const nameOf = (app: string) => appsOf(objects).find((one) => one.app === app)?.name;
  const expected = Object.entries(wanted).map(([path, app]) => `${path} Prefix ${nameOf(app)}`);
  const ingresses = objects.filter(({ kind }) => kind === 'Ingress');
  if (ingresses.length === 0) return ['there is no Ingress'];
  return ingresses.flatMap((ingress) => {
    const paths = (ingress.spec?.rules ?? []).flatMap(({ http }) => http.paths);
    const found = paths.map(({ path, pathType, backend }) => `${path} ${pathType} ${backend.service.name}`);
    return found.join() === expected.join()
      ? []
      : [`${titleOf(ingress)} sends ${found.join()}, expected ${expected.join()}`];
  });
}

type PartCheck = readonly [title: string, findings: (objects: Objects) => string[], breaks: readonly [string, string]];

export const partChecks: readonly PartCheck[] = [
  ['has a Deployment of every app', deploymentFindings, ['["webhook-dispatcher"]', '["webhook-receiver"]']],
  ['lets one pod of every app be evicted at a time', evictionFindings, ['"maxUnavailable":1', '"minAvailable":1']],
  ['spreads the pods of every app over zones and nodes', spreadFindings, ['"kubernetes.io/hostname"', '"rack"']],
  ['scales every HTTP app by CPU', httpScaleFindings, ['"kind":"HorizontalPodAutoscaler"', '"kind":"Other"']],
  ['scales every worker by depth and age of its queue', workerScaleFindings, ['"name":"age"', '"name":"old"']],
  ['denies every pod what no policy allows', denyFindings, ['"policyTypes":["Ingress","Egress"]', '"policyTypes":[]']],
  ['sends webhooks to the receiver and the rest to the gateway', routeFindings, ['"path":"/webhook"', '"path":"/web"']],
];
