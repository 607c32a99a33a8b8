import { join } from 'node:path';
import { brokenBy, type Check, checksOf } from '../../kubernetes/checks.ts';
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
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import {
  caseFiles,
  overlayFindings,
  overlays,
  renderCase,
  renderHelm,
  renderKustomize,
  renderWithComponents,
} from '../../kubernetes/render.ts';
import { differencesBetween } from '../../kubernetes/same-objects.ts';
import { trustFindings } from '../../kubernetes/pod-rules.ts';
import { openCustomSchemas } from '../../kubernetes/schemas.ts';
import { liveExampleFindings } from '../../kubernetes/settings-given.ts';
import type { Counts } from '../../npm-test/test-plan.ts';
import { installGoTools } from '../../foreign/go-tools.ts';
import { installPythonTools } from '../../foreign/python-tools.ts';
import { findOnPath } from '@eas/testing/programs';
import { addCounts, missing, oneCheck, type Suite } from '../suite.ts';

/** A check without findings has passed. */
const none = (title: string, findings: readonly string[]): Counts =>
  oneCheck(findings.length === 0, `${title}:\n  ${findings.slice(0, 20).join('\n  ')}`);

type Rendering = { name: string; objects: KubernetesObject[] };

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

async function checkOverlays(checks: readonly Check[]): Promise<Counts[]> {
  const all: Counts[] = [none('overlays and examples of the chart', overlayFindings())];
  for (const overlay of overlays) {
    const kustomize = { name: `deploy/kubernetes/overlays/${overlay}`, objects: await renderKustomize(overlay) };
    const helm = { name: `the chart with examples/${overlay}.yaml`, objects: await renderHelm(overlay) };
    all.push(none(`Kustomize and Helm in ${overlay}`, differencesBetween(kustomize.objects, helm.objects)));
    for (const rendering of [kustomize, helm]) all.push(...(await runChecks(checks, rendering)));
  }
  return all;
}

/** What the Prometheus Operator needs, which no overlay has: it is added to one. Every check has something to find in it. */
async function checkMonitoring(checks: readonly Check[], folder: string): Promise<Counts[]> {
  const components = ['pod-monitor', 'prometheus-rule'];
  const kustomize = await renderWithComponents('production', components, join(folder, 'monitoring'));
  const enabled = ['--set', 'podMonitor.enabled=true', '--set', 'prometheusRule.enabled=true'];
  const helm = await renderHelm('production', enabled);
  const runbook = 'https://docs.example.org/runbook.md';
  const linked = JSON.stringify(
    await renderHelm('production', [...enabled, '--set', `prometheusRule.runbookUrl=${runbook}`]),
  );
  return [
    none('Kustomize and Helm with a monitor and rules', differencesBetween(kustomize, helm)),
    ...['PodMonitor', 'PrometheusRule'].map((wanted) =>
      oneCheck(
        helm.some(({ kind }) => kind === wanted),
        `the chart has no ${wanted}`,
      ),
    ),
    oneCheck(
      linked.includes(`${runbook}#easappdown`) && !linked.includes('externalLabels'),
      'alerts of the chart do not link to its runbookUrl',
    ),
    ...(await runChecks(checks, { name: 'deploy/kubernetes with a monitor and rules', objects: kustomize })),
    ...(await runCanaries(checks, kustomize)),
  ];
}

/** Certificates of an authority of one's own, in every container. */
async function checkTrust(checks: readonly Check[], folder: string): Promise<Counts[]> {
  const kustomize = await renderWithComponents('production', ['private-ca'], join(folder, 'private-ca'));
  const helm = await renderHelm('production', ['--set', 'caSecretName=eas-ca']);
  return [
    none('Kustomize and Helm with a private authority', differencesBetween(kustomize, helm)),
    none('containers that trust a private authority', trustFindings(kustomize)),
    ...(await runChecks(checks, { name: 'deploy/kubernetes with a private authority', objects: kustomize })),
  ];
}

/** Values that no overlay has, which the chart alone knows. */
async function checkCases(checks: readonly Check[]): Promise<Counts[]> {
  const schemas = checks.filter(({ title }) => title.startsWith('fits the schemas'));
  const all: Counts[] = [];
  for (const file of caseFiles())
    all.push(...(await runChecks(schemas, { name: `the chart with ${file}`, objects: await renderCase(file) })));
  return all;
}

async function checkAll(go: string, folder: string): Promise<Counts[]> {
  const checks = checksOf({ file: join(folder, 'objects.yaml'), customFindings: await openCustomSchemas(go) });
  const production = await renderKustomize('production');
  const drains = await renderHelm('production', [
    ...['--set-string', 'settings.SHUTDOWN_SECONDS=600'],
    ...['--set-string', 'apps.webhook-dispatcher.settings.SHUTDOWN_SECONDS=1200'],
  ]);
  return [
    ...(await checkOverlays(checks)),
    ...(await checkMonitoring(checks, folder)),
    ...(await runChecks(checks, { name: 'the chart with a longer drain', objects: drains })),
    oneCheck(differencesBetween(production, drains).length > 0, 'the comparison finds no difference in a longer drain'),
    ...(await checkTrust(checks, folder)),
    ...(await checkCases(checks)),
    none('settings that the chart refuses', refusedSettingFindings(production)),
    none('the example of the Secret', await liveExampleFindings()),
    none('the version of the chart', await appVersionFindings('production')),
    ...(await lintFindings()).map((findings) => none('helm lint', findings)),
    ...(await chartTestingFindings(go, folder)).map((findings) => none('ct lint', findings)),
    none("the chart's own tests", await unitTestFindings()),
    none('values that have a test', untestedFindings()),
    none('the list of values', await chartReadmeFindings()),
    ...(await refusalFindings('production')).map((findings) => none('values of the chart', findings)),
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
