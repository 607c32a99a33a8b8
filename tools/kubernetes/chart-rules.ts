import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { goTool } from '../foreign/go-tools.ts';
import { repoFolder, runTool } from '../foreign/run-tool.ts';
import { imageFindings } from './names.ts';
import type { Json, KubernetesObject } from './objects.ts';
import { chartFolder, exampleFile, type Overlay, overlays, renderHelm, runHelm } from './render.ts';
import { kubernetesVersions } from './schemas.ts';
import { secretKeysOf } from './settings-given.ts';

/** What the chart must refuse, each with the word that its message has to contain. */
const refused: readonly (readonly [args: string[], word: string])[] = [
  [['--set', 'settings.BASE_URL='], 'BASE_URL'],
  [['--set', 'settings.ENCRYPTION_KEY=abc'], 'ENCRYPTION_KEY'],
  [['--set', 'settings.DB_POOL=8'], 'DB_POOL'],
  [['--set-json', 'ingress.hosts=[]'], 'ingress'],
  [['--set', 'replicas=3'], 'replicas'],
  [['--set', 'image.digest=abc'], 'digest'],
  [['--set', 'httpRoute.enabled=true'], 'httpRoute'],
  [['--set', 'secretKeys.BASE_URL.key=url'], 'BASE_URL'],
  [['--set', 'apps.webhook-dispatcher.service.port=80'], 'service'],
  [['--set-json', 'routes=[{"path":"/x","app":"webhook-dispatcher"}]'], 'routes'],
];

/** For each refusal the findings: none when the schema of the values refuses it. */
export const refusalFindings = (overlay: Overlay): Promise<string[][]> =>
  Promise.all(
    refused.map(async ([args, word]) => {
      const { code, output } = await runHelm('template', exampleFile(overlay), args);
      return code !== 0 && output.includes(word) ? [] : [`the chart takes ${args.join(' ')}`];
    }),
  );

const schemaFile = join(chartFolder, 'values.schema.json');
type ValuesSchema = { $defs: { settings: { propertyNames: { not: { enum: string[] } } } } };

/** The chart refuses as settings exactly what containers take from the Secret. */
export function refusedSettingFindings(objects: readonly KubernetesObject[]): string[] {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8')) as ValuesSchema;
  const refusedNames = schema.$defs.settings.propertyNames.not.enum;
  const secrets = secretKeysOf(objects);
  return [
    ...[...secrets].filter((name) => !refusedNames.includes(name)).map((name) => `the chart takes settings.${name}`),
    ...refusedNames.filter((name) => !secrets.has(name)).map((name) => `no container reads ${name} from the Secret`),
  ];
}

export const lintFindings = (): Promise<string[][]> =>
  Promise.all(
    overlays.map(async (overlay) => {
      const { code, output } = await runHelm('lint', exampleFile(overlay));
      return code === 0 ? [] : [output];
    }),
  );

/** Files that require another version of Kubernetes than the oldest that the objects are checked with. */
function requiredVersionFindings(): string[] {
  const [oldest] = kubernetesVersions;
  const required = {
    [join(chartFolder, 'Chart.yaml')]: `\nkubeVersion: '>=${oldest}.0-0'\n`,
    [join(repoFolder, 'docs/operate/kubernetes.md')]: `You need Kubernetes ${oldest} or newer`,
  };
  return Object.entries(required)
    .filter(([file, text]) => !readFileSync(file, 'utf8').includes(text))
    .map(([file, text]) => `${file} lacks "${text.trim()}"`);
}

/** Without a tag the chart installs the version that it was made for. */
export const appVersionFindings = async (overlay: Overlay): Promise<string[]> => [
  ...imageFindings(await renderHelm(overlay, ['--set', 'image.tag='])),
  ...requiredVersionFindings(),
];

/** The chart's own tests (`tests/`), by helm-unittest. */
export async function unitTestFindings(): Promise<string[]> {
  const { code, output } = await runTool(goTool('helm-unittest'), ['--strict', chartFolder]);
  return code === 0 ? [] : [output];
}

/** Values that are taken as a whole, whatever Kubernetes allows in them. */
const wholes = /(^|\.)(resources|strategy|podSecurityContext|securityContext|labels|\w+Probe)$/;

/** `ingress.hosts`; empty maps and lists are values too. */
function pathsOf(value: Json, path = ''): string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap || Object.keys(value).length === 0 || wholes.test(path)) return [path];
  return Object.entries(value).flatMap(([key, one]) => pathsOf(one, path === '' ? key : `${path}.${key}`));
}

type ChartTests = { set?: Json; tests: { set?: Json }[] };

/** Values of the chart that none of its tests sets. */
export function untestedFindings(): string[] {
  const suites = globSync('tests/*_test.yaml', { cwd: chartFolder }).map(
    (file) => parse(readFileSync(join(chartFolder, file), 'utf8')) as ChartTests,
  );
  const set = suites.flatMap((suite) => [suite, ...suite.tests].flatMap((one) => (one.set ? pathsOf(one.set) : [])));
  const isSet = (path: string) =>
    set.some((one) => `${one}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${one}.`));
  const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Json;
  return pathsOf(values)
    .filter((path) => !isSet(path))
    .map((path) => `no test of the chart sets ${path}`);
}

/** The list of values in README.md is made by helm-docs from their comments. */
export async function chartReadmeFindings(): Promise<string[]> {
  const { code, output } = await runTool(goTool('helm-docs'), [
    '--chart-search-root',
    chartFolder,
    '--sort-values-order',
    'file',
    '--dry-run',
  ]);
  if (code !== 0) return [output];
  const readme = readFileSync(join(chartFolder, 'README.md'), 'utf8').trim();
  return output.includes(readme)
    ? []
    : ['README.md of the chart is not current: run `helm-docs --sort-values-order file` there'];
}
