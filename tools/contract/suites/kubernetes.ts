import { join } from 'node:path';
import { brokenBy, type Check, openChecks } from '../../kubernetes/checks.ts';
import {
  appVersionFindings,
  chartReadmeFindings,
  lintFindings,
  refusalFindings,
  refusedSettingFindings,
  unitTestFindings,
  untestedFindings,
} from '../../kubernetes/chart-rules.ts';
import { chartTestingFindings } from '../../kubernetes/chart-testing.ts';
import type { KubernetesObject, Rendering } from '../../kubernetes/objects.ts';
import {
  caseFiles,
  overlayFindings,
  overlays,
  postgresExamples,
  renderCase,
  renderHelm,
  renderKustomize,
  renderWithComponents,
} from '../../kubernetes/render.ts';
import { differencesBetween } from '../../kubernetes/same-objects.ts';
import { trustFindings } from '../../kubernetes/pod-rules.ts';
import { scanFindings } from '../../kubernetes/scanners.ts';
import { liveExampleFindings } from '../../kubernetes/settings-given.ts';
import type { Counts } from '../../npm-test/test-plan.ts';
import { installGoTools } from '../../foreign/go-tools.ts';
import { installPythonTools } from '../../foreign/python-tools.ts';
import { findOnPath } from '@eas/testing/programs';
import { addCounts, missing, oneCheck, type Suite } from '../suite.ts';

/** A check without findings has passed. */
const none = (title: string, findings: readonly string[]): Counts =>
  oneCheck(findings.length === 0, `${title}:\n  ${findings.slice(0, 20).join('\n  ')}`);

async function runChecks(checks: readonly Check[], { name, objects }: Rendering): Promise<Counts[]> {
  const all: Counts[] = [];
  for (const check of checks) all.push(none(`${name} ${check.title}`, await check.findings(objects)));
  return all;
}

/** Each check must find a planted fault, or it proves nothing about the renderings. */
async function runCanaries(checks: readonly Check[], objects: readonly KubernetesObject[]): Promise<Counts[]> {
  const all: Counts[] = [];
  for (const check of checks) {
    const findings = await check.findings(brokenBy(check, objects));
    all.push(oneCheck(findings.length > 0, `"${check.title}" finds no fault where ${check.breaks.join(' became ')}`));
  }
  return all;
}

type Pair = { name: string; kustomize: KubernetesObject[]; helm: KubernetesObject[] };

/** What no overlay has. */
const monitored = {
  name: 'production with a monitor and rules',
  components: ['pod-monitor', 'prometheus-rule'],
  args: ['--set', 'podMonitor.enabled=true', '--set', 'prometheusRule.enabled=true'],
};
const trusting = {
  name: 'production with a private authority',
  components: ['private-ca'],
  args: ['--set', 'caSecretName=eas-ca'],
};

/** What Kustomize and Helm both make. */
function renderPairs(folder: string): Promise<Pair[]> {
  const plain = overlays.map(async (overlay) => ({
    name: overlay,
    kustomize: await renderKustomize(overlay),
    helm: await renderHelm(overlay),
  }));
  const extended = [monitored, trusting].map(async ({ name, components, args }) => ({
    name,
    kustomize: await renderWithComponents('production', components, join(folder, components.join())),
    helm: await renderHelm('production', args),
  }));
  return Promise.all([...plain, ...extended]);
}

const renderingsOf = ({ name, kustomize, helm }: Pair): Rendering[] => [
  { name: `Kustomize ${name}`, objects: kustomize },
  { name: `Helm ${name}`, objects: helm },
];

async function checkPairs(checks: readonly Check[], pairs: readonly Pair[]): Promise<Counts[]> {
  const all: Counts[] = [none('overlays and examples of the chart', overlayFindings())];
  for (const pair of pairs) {
    all.push(none(`Kustomize and Helm ${pair.name}`, differencesBetween(pair.kustomize, pair.helm)));
    for (const rendering of renderingsOf(pair)) all.push(...(await runChecks(checks, rendering)));
  }
  return all;
}

async function checkRules(): Promise<Counts> {
  const runbook = 'https://docs.example.org/runbook.md';
  const args = [...monitored.args, '--set', `prometheusRule.runbookUrl=${runbook}`];
  const linked = JSON.stringify(await renderHelm('production', args));
  return oneCheck(
    linked.includes(`${runbook}#easappdown`) && !linked.includes('externalLabels'),
    'alerts of the chart do not link to its runbookUrl',
  );
}

async function checkDrain(checks: readonly Check[], usual: readonly KubernetesObject[]): Promise<Counts[]> {
  const objects = await renderHelm('production', [
    ...['--set-string', 'settings.SHUTDOWN_SECONDS=600'],
    ...['--set-string', 'apps.webhook-dispatcher.settings.SHUTDOWN_SECONDS=1200'],
  ]);
  return [
    ...(await runChecks(checks, { name: 'the chart with a longer drain', objects })),
    oneCheck(differencesBetween(usual, objects).length > 0, 'the comparison finds no difference in a longer drain'),
  ];
}

/** Values that no overlay has, which the chart alone knows. */
const renderCases = (): Promise<Rendering[]> =>
  Promise.all(caseFiles().map(async (file) => ({ name: `the chart with ${file}`, objects: await renderCase(file) })));

async function checkChart(go: string, folder: string): Promise<Counts[]> {
  return [
    none('the version of the chart', await appVersionFindings('production')),
    ...(await lintFindings()).map((findings) => none('helm lint', findings)),
    ...(await chartTestingFindings(go, folder)).map((findings) => none('ct lint', findings)),
    none("the chart's own tests", await unitTestFindings()),
    none('values that have a test', untestedFindings()),
    none('the list of values', await chartReadmeFindings()),
    ...(await refusalFindings('production')).map((findings) => none('values of the chart', findings)),
    await checkRules(),
  ];
}

async function checkAll(go: string, folder: string): Promise<Counts[]> {
  const checks = openChecks();
  const pairs = await renderPairs(folder);
  const kustomizeOf = (name: string) => pairs.find((pair) => pair.name === name)?.kustomize ?? [];
  const production = kustomizeOf('production');
  // Every check has something to find in it.
  const sound = kustomizeOf(monitored.name);
  const scanned = [...pairs.flatMap(renderingsOf), ...(await renderCases()), ...postgresExamples()];
  return [
    ...(await checkPairs(checks, pairs)),
    ...(await runCanaries(checks, sound)),
    none('what kubeconform, kube-score and checkov find', await scanFindings(scanned, { sound, go, folder })),
    ...(await checkDrain(checks, production)),
    none('containers that trust a private authority', trustFindings(kustomizeOf(trusting.name))),
    none('settings that the chart refuses', refusedSettingFindings(production)),
    none('the example of the Secret', await liveExampleFindings()),
    ...(await checkChart(go, folder)),
  ];
}

/** What teams install on Kubernetes: rendered by Kustomize and Helm, held to the schemas and to the settings of the apps. */
export const kubernetes: Suite = {
  name: 'kubernetes',
  what: 'deploy/kubernetes and the Helm chart render the same valid objects, with settings that the apps read',
  isForReleases: true,
  async run({ folder }) {
    const [go, python] = [findOnPath('go'), findOnPath('python3')];
    if (!go) return missing('go');
    if (!python) return missing('python3');
    const say = (line: string): void => void process.stdout.write(`[contract] ${line}\n`);
    if ((await installPythonTools('manifests', python, say)) === 'unreachable')
      throw new Error('PyPI cannot be reached.');
    await installGoTools(go, say);
    return addCounts(await checkAll(go, folder));
  },
};
