// What scanners find and the manifests have on purpose. An exception that fits no finding fails.
import type { Rendering } from './objects.ts';

type Scanner = 'kubeconform' | 'kube-score' | 'checkov';

/** A rendering as scanners read it. */
export type Read = Rendering & { file: string };

/** `{ scanner: 'checkov', check: 'CKV_K8S_11: CPU limits should be set', rendering: 'the chart', object: 'Deployment eas-x' }` */
export type Finding = { scanner: Scanner; check: string; rendering: string; object: string };

export type Exception = {
  /** The findings' names, by scanner. */
  checks: Readonly<Partial<Record<Scanner, readonly string[]>>>;
  /** Rendering and object where alone it is meant so; everywhere, if absent. */
  only?: RegExp;
  reason: string;
};

export const exceptions: readonly Exception[] = [
  {
    checks: {
      'kube-score': ['container-resources: CPU limit is not set'],
      checkov: ['CKV_K8S_11: CPU limits should be set'],
    },
    reason: 'A limit slows a process down while its node has time. Requests share the CPU of a full node.',
  },
  {
    checks: {
      'kube-score': ['container-image-pull-policy: ImagePullPolicy is not set to Always'],
      checkov: ['CKV_K8S_15: Image Pull Policy should be Always'],
    },
    reason: 'A version is never replaced by another image, and pods must start while the registry is away.',
  },
  {
    checks: {
      'kube-score': [
        'container-security-context-user-group-id: The container is running with a low user ID',
        'container-security-context-user-group-id: The container running with a low group ID',
      ],
      checkov: ['CKV_K8S_40: Containers should run as a high UID to avoid host conflict'],
    },
    reason: 'No user is named, as OpenShift gives pods one. The image has 10001, and runAsNonRoot refuses root.',
  },
  {
    checks: {
      'kube-score': ['deployment-has-host-podantiaffinity: Deployment does not have a host podAntiAffinity set'],
    },
    reason: 'Pods are spread over zones and nodes by topologySpreadConstraints, each version for itself.',
  },
  {
    checks: { 'kube-score': ['deployment-replicas: Deployment few replicas'] },
    only: / small, Deployment eas-(api-gateway|webhook-receiver)$/,
    reason: 'The small installation has one pod of each app.',
  },
  {
    checks: { checkov: ['CKV_K8S_21: The default namespace should not be used'] },
    reason: 'The installation names the namespace: `helm --namespace`, `kubectl --namespace`.',
  },
  {
    checks: { checkov: ['CKV_K8S_43: Image should use digest'] },
    only: /^(Kustomize|Helm|deploy\/postgres)\b/,
    reason:
      'An image has its digest from your registry; `image.digest` of the chart and `digest` of an overlay take it.',
  },
  {
    checks: { checkov: ['CKV_K8S_35: Prefer using secrets as files over secrets as environment variables'] },
    reason:
      'Files are a choice, `secretFiles`. Variables are the default, as no pod starts programs that would inherit them.',
  },
  {
    checks: {
      checkov: ['CKV_K8S_8: Liveness Probe Should be Configured', 'CKV_K8S_9: Readiness Probe Should be Configured'],
    },
    only: /, Pod eas-test$/,
    reason: 'The pod of `helm test` ends within seconds, and nothing is sent to it.',
  },
  {
    checks: {
      'kube-score': ['pod-networkpolicy: The pod does not have a matching NetworkPolicy'],
      checkov: ['CKV2_K8S_6: Minimize the admission of pods which lack an associated NetworkPolicy'],
    },
    only: /drill\.yaml, /,
    reason: 'The network policies of the installation select it by its labels.',
  },
];

const whereOf = ({ rendering, object }: Finding): string => `${rendering}, ${object}`;

const fits = ({ checks, only }: Exception, finding: Finding): boolean =>
  (checks[finding.scanner]?.includes(finding.check) ?? false) && (only?.test(whereOf(finding)) ?? true);

/** Findings that no exception explains, and exceptions that explain none. */
export function unexplained(findings: readonly Finding[], known: readonly Exception[]): string[] {
  const stale = known.flatMap((exception) => {
    const explained = findings.filter((finding) => fits(exception, finding));
    return Object.entries(exception.checks).flatMap(([scanner, checks]) =>
      checks
        .filter((check) => !explained.some((one) => one.scanner === scanner && one.check === check))
        .map((check) => `${scanner} finds nothing for the exception "${check}"`),
    );
  });
  const open = findings.filter((finding) => !known.some((exception) => fits(exception, finding)));
  return [...open.map((finding) => `${whereOf(finding)}: ${finding.check} (${finding.scanner})`), ...stale];
}
