// kubeconform, kube-score and checkov read all renderings. What they find is corrected, or an exception with its reason (exceptions.ts).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goTool } from '../foreign/go-tools.ts';
import { pythonTool } from '../foreign/python-tools.ts';
import { parseReport, runTool } from '../foreign/run-tool.ts';
import { brokenBy } from './checks.ts';
import { exceptions, type Finding, type Read, unexplained } from './exceptions.ts';
import type { KubernetesObject, Rendering } from './objects.ts';
import { kubeconformFindings, kubernetesVersions } from './schemas.ts';

type Scored = {
  type_meta: { kind: string };
  object_meta: { name: string };
  checks: { check: { id: string }; grade: number; skipped: boolean; comments: { summary: string }[] | null }[];
}[];

const bestGrade = 10;

/** Each rendering alone: kube-score takes objects of several files for one installation. */
async function kubeScoreFindings({ name, file }: Read): Promise<Finding[]> {
  const { output } = await runTool(goTool('kube-score'), [
    ...['score', '--output-format', 'json', '--kubernetes-version', `v${kubernetesVersions[0]}`],
    ...['--enable-optional-test', 'container-seccomp-profile', '--enable-optional-test', 'container-ports-check'],
    ...['--disable-ignore-checks-annotations', file],
  ]);
  // null: it knows no kind of the file.
  return (parseReport<Scored | null>('kube-score', output) ?? []).flatMap(
    ({ type_meta: { kind }, object_meta, checks }) =>
      checks
        .filter(({ grade, skipped }) => !skipped && grade < bestGrade)
        .flatMap(({ check, comments }) =>
          [...new Set((comments ?? [{ summary: 'no comment' }]).map(({ summary }) => `${check.id}: ${summary}`))].map(
            (text): Finding => ({
              scanner: 'kube-score',
              check: text,
              rendering: name,
              object: `${kind} ${object_meta.name}`,
            }),
          ),
        ),
  );
}

type Checked = {
  results: { failed_checks: { check_id: string; check_name: string; file_path: string; resource: string }[] };
  summary: { passed: number; skipped: number; parsing_errors: number };
};

/** All renderings at once: checkov takes seconds to start. */
async function checkovFindings(read: readonly Read[], folder: string): Promise<Finding[]> {
  const args = ['--framework', 'kubernetes', '--skip-download', '--quiet', '--compact', '--output', 'json'];
  const { output } = await runTool(pythonTool('manifests', 'checkov'), ['--directory', folder, ...args], {
    env: { CKV_SKIP_PACKAGE_UPDATE_CHECK: 'true' },
    timeoutMs: 300_000,
  });
  const { results, summary } = parseReport<Checked>('checkov', output);
  if (summary.passed === 0 || summary.skipped > 0 || summary.parsing_errors > 0)
    throw new Error(`checkov has not read every object: ${JSON.stringify(summary)}`);
  return results.failed_checks.map(({ check_id, check_name, file_path, resource }) => ({
    scanner: 'checkov',
    check: `${check_id}: ${check_name}`,
    rendering: read.find(({ file }) => file === join(folder, file_path))?.name ?? file_path,
    object: resource.replace(/^(\w+)\.[^.]*\./, '$1 '),
  }));
}

/** Changes of the text of a rendering, as JSON, and what scanners must find then. */
const faults: readonly (readonly [from: string, to: string, ...found: RegExp[]])[] = [
  [
    '"startupProbe"',
    '"startupProbes"',
    ...kubernetesVersions.map((version) => RegExp(`^kubeconform Deployment \\S+ ${version}: .*startupProbes`)),
  ],
  ['"serverAddress"', '"serverAddress":1,"x"', /^kubeconform ScaledObject .*serverAddress/],
  [
    '"readOnlyRootFilesystem":true',
    '"readOnlyRootFilesystem":false',
    /^checkov .* CKV_K8S_22:/,
    /^kube-score .* container-security-context-readonlyrootfilesystem:/,
  ],
  ['"seccompProfile":', '"y":', /^checkov .* CKV_K8S_31:/, /^kube-score .* container-seccomp-profile:/],
  ['"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true', /^checkov .* CKV_K8S_20:/],
  ['"drop":["ALL"]', '"drop":[]', /^checkov .* CKV_K8S_37:/],
  ['"runAsNonRoot":true', '"runAsNonRoot":false', /^checkov .* CKV_K8S_23:/],
  ['"automountServiceAccountToken":false', '"automountServiceAccountToken":true', /^checkov .* CKV_K8S_38:/],
  ['"requests":{"cpu":', '"requests":{"z":', /^checkov .* CKV_K8S_10:/],
  ['"512Mi","memory":', '"512Mi","z":', /^checkov .* CKV_K8S_13:/],
  ['"kind":"NetworkPolicy"', '"kind":"OtherPolicy"', /^checkov .* CKV2_K8S_6:/, /^kube-score .* pod-networkpolicy:/],
  ['"kind":"PodDisruptionBudget"', '"kind":"OtherBudget"', /^kube-score .* deployment-has-poddisruptionbudget:/],
  ['"path":"/readyz"', '"path":"/livez"', /^kube-score .* pod-probes-identical:/],
];

/** checkov connects objects of different files by their labels, so each rendering is an installation of its own. */
function writeRenderings(renderings: readonly Rendering[], folder: string): Read[] {
  mkdirSync(folder, { recursive: true });
  return renderings.map((rendering, index) => {
    const file = join(folder, `${index}.yaml`);
    // JSON is YAML.
    const text = rendering.objects.map((object) => JSON.stringify(object)).join('\n---\n');
    writeFileSync(
      file,
      text.replaceAll('"app.kubernetes.io/instance":"eas"', `"app.kubernetes.io/instance":"eas-${index}"`),
    );
    return { ...rendering, file };
  });
}

/** `objects` with every fault in them. */
function breakAll(objects: readonly KubernetesObject[]): Rendering {
  let broken = objects;
  for (const [from, to] of faults) broken = brokenBy({ title: 'scanners', breaks: [from, to] }, broken);
  return { name: 'planted faults', objects: broken };
}

/**
 * Reads all renderings, and `sound` with faults in it. Lines: what is found without an exception, exceptions without use, faults that are
 * not found.
 */
export async function scanFindings(
  renderings: readonly Rendering[],
  { sound, go, folder }: { sound: readonly KubernetesObject[]; go: string; folder: string },
): Promise<string[]> {
  const planted = breakAll(sound);
  const files = join(folder, 'renderings');
  const read = writeRenderings([...renderings, planted], files);
  const findings = [...(await kubeconformFindings(read, { go, folder })), ...(await checkovFindings(read, files))];
  for (const one of read) findings.push(...(await kubeScoreFindings(one)));
  const real = findings.filter(({ rendering }) => rendering !== planted.name);
  const found = findings
    .filter(({ rendering }) => rendering === planted.name)
    .map(({ scanner, object, check }) => `${scanner} ${object} ${check}`);
  const missed = faults.flatMap(([from, to, ...wanted]) =>
    wanted
      .filter((pattern) => !found.some((line) => pattern.test(line)))
      .map((pattern) => `${from} became ${to}, and no scanner finds ${pattern.source}`),
  );
  return [...unexplained(real, exceptions), ...missed];
}
