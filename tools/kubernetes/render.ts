import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { goTool } from '../foreign/go-tools.ts';
import { type Ended, repoFolder, runTool } from '../foreign/run-tool.ts';
import { type KubernetesObject, type Rendering, titleOf } from './objects.ts';

export const chartFolder = join(repoFolder, 'deploy/helm/engineering-agent-service');
export const kustomizeFolder = join(repoFolder, 'deploy/kubernetes');
const postgresFolder = join(repoFolder, 'deploy/postgres');

/** An overlay of deploy/kubernetes; the chart has an example of the same name. */
export const overlays = ['small', 'production'] as const;
export type Overlay = (typeof overlays)[number];

export const exampleFile = (overlay: Overlay): string => `examples/${overlay}.yaml`;

/** Values that no example has: files of the chart, where chart-testing looks for them. */
export const caseFiles = (): string[] => globSync('ci/*-values.yaml', { cwd: chartFolder }).sort();

/** The examples of Postgres in the cluster, as they are. */
export const postgresExamples = (): Rendering[] =>
  globSync('cloudnative-pg/*.yaml', { cwd: postgresFolder })
    .sort()
    .map((file) => ({
      name: `deploy/postgres/${file}`,
      objects: parseObjects(readFileSync(join(postgresFolder, file), 'utf8')),
    }));

/** Objects of a text of YAML documents. Throws when one is no YAML. */
function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as KubernetesObject | null;
    return object === null ? [] : [object];
  });
}

function objectsOf({ code, output }: Ended, what: string): KubernetesObject[] {
  if (code !== 0) throw new Error(`${what} failed:\n${output.trim()}`);
  return parseObjects(output);
}

async function buildKustomize(folder: string): Promise<KubernetesObject[]> {
  return objectsOf(await runTool(goTool('kustomize'), ['build', folder]), `kustomize build ${folder}`);
}

type Part = 'apps' | 'migrate' | 'command';

const partOf = (overlay: Overlay, part: Part): string => join(kustomizeFolder, 'overlays', overlay, part);

const parts = ['migrate', 'apps', 'command'] as const;

/** The whole overlay: its migration, its apps, and a command of the operator. */
export async function renderKustomize(
  overlay: Overlay,
  folderOf: (part: Part) => string = (part) => partOf(overlay, part),
): Promise<KubernetesObject[]> {
  const rendered: KubernetesObject[] = [];
  for (const part of parts) rendered.push(...(await buildKustomize(folderOf(part))));
  // Apps and command have the same settings.
  return [...new Map(rendered.map((object) => [titleOf(object), object])).values()];
}

/** The same with other components in each part, by way of `folder`, which is made. */
export function renderWithComponents(
  overlay: Overlay,
  components: readonly string[],
  folder: string,
): Promise<KubernetesObject[]> {
  return renderKustomize(overlay, (part) => {
    const own = join(folder, part);
    const base = relative(own, partOf(overlay, part));
    const added = components.map((name) => relative(own, join(kustomizeFolder, 'components', name)));
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'kustomization.yaml'), `resources: [${base}]\ncomponents: [${added.join(', ')}]\n`);
    return own;
  });
}

/** `values` is a file of the chart. */
export const runHelm = (verb: 'template' | 'lint', values: string, more: readonly string[] = []): Promise<Ended> =>
  runTool(goTool('helm'), [
    ...(verb === 'template' ? ['template', 'eas'] : ['lint', '--strict']),
    ...[chartFolder, '--values', join(chartFolder, values), ...more],
  ]);

async function renderValues(values: string, more: readonly string[]): Promise<KubernetesObject[]> {
  const ended = await runHelm('template', values, ['--set', 'command={doctor}', ...more]);
  return objectsOf(ended, `helm template with ${values}`);
}

/** Without the pod of `helm test`, which Kustomize does not have. */
export const renderHelm = (overlay: Overlay, more: readonly string[] = []): Promise<KubernetesObject[]> =>
  renderValues(exampleFile(overlay), ['--skip-tests', ...more]);

/** With the pod of `helm test`. */
export const renderCase = (file: string): Promise<KubernetesObject[]> => renderValues(file, []);

/** Overlays and examples that are not checked, or lack their counterpart. */
export function overlayFindings(): string[] {
  const wanted = [...overlays].sort().join(', ');
  const found = {
    overlays: readdirSync(join(kustomizeFolder, 'overlays')),
    examples: readdirSync(join(chartFolder, 'examples')).map((name) => name.replace(/\.yaml$/, '')),
  };
  return Object.entries(found)
    .map(([what, names]) => `${what} are ${names.sort().join(', ')}, expected ${wanted}`)
    .filter((line) => !line.includes(`are ${wanted}, `));
}
