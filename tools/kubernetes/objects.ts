export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What is read of Kubernetes' objects here; everything else is `unknown`. */
export type Labels = Readonly<Record<string, string>>;

type EnvVariable = {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean };
    configMapKeyRef?: { name: string; key: string; optional?: boolean };
  };
};

type Probe = { httpGet?: { path: string; port: string } };

export type Container = {
  name: string;
  image: string;
  args?: string[];
  env?: EnvVariable[];
  envFrom?: { configMapRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
};

export type PodSpec = {
  containers: Container[];
  topologySpreadConstraints?: { topologyKey: string; labelSelector?: Selector }[];
  initContainers?: Container[];
  terminationGracePeriodSeconds?: number;
};

export type Selector = { matchLabels?: Labels };
type Peer = { podSelector?: Selector; namespaceSelector?: Selector };
type Rule = { ports?: { port: string | number }[]; from?: Peer[]; to?: Peer[] };

type Path = { path: string; pathType: string; backend: { service: { name: string; port: { name: string } } } };

export type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  data?: Labels;
  spec?: {
    replicas?: number;
    ingressClassName?: string;
    /** Of a Service: the labels themselves. */
    selector?: Selector | Labels;
    podSelector?: Selector;
    ingress?: Rule[];
    egress?: Rule[];
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    ports?: { name: string; targetPort: string }[];
    scaleTargetRef?: { kind?: string; name: string };
    maxUnavailable?: number;
    policyTypes?: string[];
    metrics?: { resource?: { name: string } }[];
    triggers?: { name: string; metadata: { query: string } }[];
    rules?: { http: { paths: Path[] } }[];
  };
};

/** What one tool makes of one set of values. */
export type Rendering = { name: string; objects: readonly KubernetesObject[] };

/** `Deployment eas-api-gateway` */
export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.name}`;

export type Workload = { title: string; labels: Labels; pod: PodSpec };

/** Deployments and Jobs. */
export const workloadsOf = (objects: readonly KubernetesObject[]): Workload[] =>
  objects.flatMap((object) => {
    const template = object.spec?.template;
    return template ? [{ title: titleOf(object), labels: template.metadata.labels, pod: template.spec }] : [];
  });

export const containersOf = ({ initContainers = [], containers }: PodSpec): Container[] => [
  ...initContainers,
  ...containers,
];
