// Names and labels by which objects refer to each other: a typo in one is valid, and does nothing.
import { type KubernetesObject, type Labels, type Selector, titleOf, type Workload, workloadsOf } from './objects.ts';

export const matches = (labels: Labels, selector: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

/** Every selector of an object. A Service has its labels without `matchLabels`. */
function selectorsOf({ kind, spec = {} }: KubernetesObject): Labels[] {
  if (kind === 'Service') return [spec.selector as Labels];
  const peers = [...(spec.ingress ?? []), ...(spec.egress ?? [])].flatMap(({ from = [], to = [] }) => [...from, ...to]);
  const own = peers.filter(({ namespaceSelector }) => !namespaceSelector).map(({ podSelector }) => podSelector);
  const all = [spec.selector as Selector | undefined, spec.podSelector, ...own];
  return all.map((selector) => selector?.matchLabels).filter((labels) => labels !== undefined);
}

const portNames = ({ pod }: Workload): string[] =>
  pod.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));

function servicePortFindings(service: KubernetesObject, workloads: readonly Workload[]): string[] {
  const behind = workloads.filter(({ labels }) => matches(labels, service.spec?.selector as Labels));
  return (service.spec?.ports ?? [])
    .filter(({ targetPort }) => !behind.some((workload) => portNames(workload).includes(targetPort)))
    .map(({ targetPort }) => `${titleOf(service)}: no pod has the port ${targetPort}`);
}

function policyPortFindings(policy: KubernetesObject, workloads: readonly Workload[]): string[] {
  const known = new Set(workloads.flatMap(portNames));
  return [...(policy.spec?.ingress ?? []), ...(policy.spec?.egress ?? [])]
    .flatMap(({ ports = [] }) => ports)
    .filter(({ port }) => typeof port === 'string' && !known.has(port))
    .map(({ port }) => `${titleOf(policy)}: no pod has the port ${port}`);
}

function backendFindings(ingress: KubernetesObject, objects: readonly KubernetesObject[]): string[] {
  const backends = (ingress.spec?.rules ?? []).flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
  return backends
    .filter(({ name, port }) => {
      const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
      return !service?.spec?.ports?.some((one) => one.name === port.name);
    })
    .map(({ name, port }) => `${titleOf(ingress)}: no Service ${name} with the port ${port.name}`);
}

/** One line for each reference that leads nowhere. */
export function referenceFindings(objects: readonly KubernetesObject[]): string[] {
  const workloads = workloadsOf(objects);
  const titles = new Set(objects.map(titleOf));
  return objects.flatMap((object) => {
    const target = object.spec?.scaleTargetRef;
    const targetTitle = target && `${target.kind ?? 'Deployment'} ${target.name}`;
    return [
      ...(targetTitle && !titles.has(targetTitle) ? [`${titleOf(object)}: no ${targetTitle}`] : []),
      ...selectorsOf(object)
        .filter((selector) => !workloads.some(({ labels }) => matches(labels, selector)))
        .map((selector) => `${titleOf(object)}: no pod has ${JSON.stringify(selector)}`),
      ...(object.kind === 'Service' ? servicePortFindings(object, workloads) : []),
      ...(object.kind === 'NetworkPolicy' ? policyPortFindings(object, workloads) : []),
      ...(object.kind === 'Ingress' ? backendFindings(object, objects) : []),
    ];
  });
}
