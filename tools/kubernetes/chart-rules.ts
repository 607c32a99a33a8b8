import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoFolder } from '../foreign/run-tool.ts';
import { imageFindings } from './names.ts';
import type { KubernetesObject } from './objects.ts';
import { chartFolder, type Overlay, renderHelm, runHelm } from './render.ts';
import { kubernetesVersions } from './schemas.ts';
import { secretKeysOf } from './settings-given.ts';

/** What the chart must refuse, each with the word that its message has to contain. */
const refused: readonly (readonly [args: string[], word: string])[] = [
  [['--set', 'settings.BASE_URL='], 'BASE_URL'],
  [['--set', 'settings.ENCRYPTION_KEY=abc'], 'ENCRYPTION_KEY'],
  [['--set', 'settings.DB_POOL=8'], 'DB_POOL'],
  [['--set', 'ingress.host='], 'ingress'],
  [['--set', 'replicas=3'], 'replicas'],
];

/** For each refusal the findings: none when the schema of the values refuses it. */
export const refusalFindings = (overlay: Overlay): Promise<string[][]> =>
  Promise.all(
    refused.map(async ([args, word]) => {
      const { code, output } = await runHelm('template', overlay, args);
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

export async function lintFindings(overlay: Overlay): Promise<string[]> {
  const { code, output } = await runHelm('lint', overlay);
  return code === 0 ? [] : [output];
}

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
