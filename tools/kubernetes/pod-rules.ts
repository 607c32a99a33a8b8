// Rules for every pod, from any source: stopped after its drain, probed where the app listens.
import { maxReceiverBodyBytes } from '@eas/http';
import { containersOf, type Container, type KubernetesObject, titleOf, workloadsOf } from './objects.ts';
import type { Given } from './settings-given.ts';

const marginSeconds = 5;

type AppConfig = { shutdown: { seconds: number }; health: Required<Listening>; receiver?: Listening } & Listening;
type Listening = { host?: string; port?: number };

/** The one app of a Deployment, with its settings. */
function appsOf(given: readonly Given[]): (Given & { app: AppConfig })[] {
  return given
    .filter(({ title, config }) => title.startsWith('Deployment ') && config !== undefined)
    .map((one) => ({ ...one, app: one.config as unknown as AppConfig }));
}

/** A Deployment's grace holds the sleep before SIGTERM, the SHUTDOWN_SECONDS in effect, and a margin. */
export function graceFindings(objects: readonly KubernetesObject[], given: readonly Given[]): string[] {
  return workloadsOf(objects).flatMap(({ title, pod }) =>
    appsOf(given)
      .filter((one) => one.title.startsWith(`${title}, `))
      .flatMap(({ container, app }) => {
        const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
        const needed = sleep + app.shutdown.seconds + marginSeconds;
        const grace = pod.terminationGracePeriodSeconds ?? 30;
        return grace < needed ? [`${title}: the pod is killed after ${grace} s, and needs ${needed} s`] : [];
      }),
  );
}

/** Every container reads the certificates that are mounted in it. */
export function trustFindings(objects: readonly KubernetesObject[]): string[] {
  return workloadsOf(objects).flatMap(({ title, pod }) =>
    containersOf(pod)
      .filter(({ env = [], volumeMounts = [] }) => {
        const file = env.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value;
        return !volumeMounts.some(({ mountPath }) => file?.startsWith(`${mountPath}/`));
      })
      .map(({ name }) => `${title}, ${name} does not read the certificates`),
  );
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

/** What nginx takes of a request, in bytes: 1 MiB unless the ingress says otherwise. */
function bodyLimitOf({ metadata }: KubernetesObject): number {
  const size = metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '1m';
  const [, count, unit = ''] = /^(\d+)([kmg]?)$/i.exec(size) ?? [];
  return Number(count) * (units[unit.toLowerCase()] ?? NaN);
}

const nginxIngresses = (objects: readonly KubernetesObject[]): KubernetesObject[] =>
  objects.filter(({ kind, spec }) => kind === 'Ingress' && spec?.ingressClassName === 'nginx');

/** A statement ends after 60 s, and the app reports it: a proxy that waits no longer responds first. */
const leastReadTimeoutSeconds = 75;

/** nginx waits 60 s for a byte of the response unless the ingress says otherwise. */
export function readTimeoutFindings(objects: readonly KubernetesObject[]): string[] {
  return nginxIngresses(objects)
    .filter(({ metadata }) => {
      const seconds = Number(metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout'] ?? '60');
      return !(seconds >= leastReadTimeoutSeconds);
    })
    .map((ingress) => `${titleOf(ingress)}: waits for a response for less than ${leastReadTimeoutSeconds} s`);
}

/** An ingress of nginx lets webhooks pass that the receiver takes. */
export function bodyFindings(objects: readonly KubernetesObject[]): string[] {
  return nginxIngresses(objects)
    .filter((ingress) => !(bodyLimitOf(ingress) >= maxReceiverBodyBytes))
    .map((ingress) => `${titleOf(ingress)}: the receiver takes ${maxReceiverBodyBytes} bytes`);
}

const probePaths = { startupProbe: '/livez', livenessProbe: '/livez', readinessProbe: '/readyz' } as const;

function probeFindings(container: Container): string[] {
  return Object.entries(probePaths).flatMap(([name, wanted]) => {
    const { path, port } = container[name as keyof typeof probePaths]?.httpGet ?? {};
    return path === wanted && port === 'health' ? [] : [`no ${name} of ${wanted} on the health port`];
  });
}

/** Probes ask the health port that the app listens on, from outside; the HTTP apps have their own port too. */
export function portFindings(given: readonly Given[]): string[] {
  return appsOf(given).flatMap(({ title, container, app }) => {
    const http = app.receiver ?? app;
    const portOf = (name: string) => container.ports?.find((port) => port.name === name)?.containerPort;
    const local = [app.health.host, http.host].filter((host) => host?.startsWith('127.'));
    const findings = [
      ...(portOf('health') === app.health.port ? [] : [`HEALTH_PORT is ${app.health.port}`]),
      ...(portOf('http') === http.port ? [] : [`the app listens on ${http.port}`]),
      ...local.map(() => 'listens on loopback only'),
      ...probeFindings(container),
    ];
    return findings.map((line) => `${title}: ${line}`);
  });
}
