// What the manifests give each app, read by the app's own settings: unknown names, missing values and wrong ones are findings.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readFileSync } from 'node:fs';
import { listSettings, loadSettings, type Setting, type Settings, type SettingsShape } from '@eas/runtime';
import { repoFolder } from '../foreign/run-tool.ts';
import { type Container, containersOf, type KubernetesObject, workloadsOf } from './objects.ts';
import { kustomizeFolder } from './render.ts';

/** The first argument of the image, and whose settings the program reads. */
const programs: Readonly<Record<string, string>> = {
  'api-gateway': 'api-gateway',
  'webhook-receiver': 'webhook-receiver',
  'workflow-orchestrator': 'workflow-orchestrator',
  'webhook-dispatcher': 'webhook-dispatcher',
  'analytics-aggregator': 'analytics-aggregator',
  migrate: 'standalone',
  seed: 'standalone',
  cmd: 'standalone',
};

/** What a Job works without, but not as the apps do: it is given wherever it is set. */
const sharedWithApps: Readonly<Record<string, readonly string[]>> = {
  migrate: ['DATABASE_DIRECT_URL', 'MIGRATE_DATABASE_URL', 'REDIS_URL'],
  seed: ['DATABASE_DIRECT_URL', 'BOOTSTRAP_RATE_LIMIT', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  cmd: ['DATABASE_DIRECT_URL', 'MIGRATE_DATABASE_URL', 'REDIS_URL'],
};

const shapeOf = async (app: string): Promise<SettingsShape> =>
  ((await import(join(repoFolder, 'apps', app, 'src/config.ts'))) as { configShape: SettingsShape }).configShape;

type Env = Record<string, string>;

/** Settings that Node reads itself. */
const ofNode = new Set(['NODE_EXTRA_CA_CERTS']);

const exampleText = (): string => readFileSync(join(kustomizeFolder, 'secret.example.env'), 'utf8');

/** The example of the Secret with its optional values, and what could be real where it says CHANGE-ME alone. */
export function exampleSecret(): Env {
  const example = parseEnv(exampleText().replaceAll(/^# (?=[A-Z_]+=)/gm, '')) as Env;
  const made: Env = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: 'k'.repeat(32),
    ADMIN_PASSWORD: 'p'.repeat(16),
    BOOTSTRAP_OAUTH_CLIENT: (example['BOOTSTRAP_OAUTH_CLIENT'] ?? '').replaceAll('CHANGE-ME', 'made'),
  };
  return { ...example, ...made };
}

const configMaps = (objects: readonly KubernetesObject[]): Map<string, Env> =>
  new Map(
    objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata, data = {} }) => [metadata.name, { ...data }]),
  );

type Sources = { settings: ReadonlyMap<string, Env>; secret: Env };

/** What the container gives by name, and what comes from the ConfigMap of all apps. Throws for a source that is not there. */
function envOf({ env = [], envFrom = [] }: Container, { settings, secret }: Sources): { own: Env; common: Env } {
  const mapOf = (name: string): Env => {
    const found = settings.get(name);
    if (!found) throw new Error(`ConfigMap ${name} does not exist`);
    return found;
  };
  const own: Env = {};
  for (const { name, value, valueFrom } of env) {
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    const found = secretKeyRef
      ? secret[secretKeyRef.key]
      : configMapKeyRef
        ? mapOf(configMapKeyRef.name)[configMapKeyRef.key]
        : value;
    if (found !== undefined) own[name] = found;
    else if (!configMapKeyRef?.optional) throw new Error(`${name} has no source`);
  }
  const common = Object.assign({}, ...envFrom.map(({ configMapRef }) => mapOf(configMapRef?.name ?? ''))) as Env;
  return { own, common };
}

/** `config` is undefined when it cannot be read; `findings` say why. */
export type Given = { title: string; container: Container; config?: Settings<SettingsShape>; findings: string[] };

/** Every container with the settings that its program would read, and what is wrong with them. */
export async function readGivenSettings(objects: readonly KubernetesObject[], secret: Env): Promise<Given[]> {
  const sources = { settings: configMaps(objects), secret };
  const containers = workloadsOf(objects).flatMap(({ title, pod }) =>
    containersOf(pod).map((container) => ({ title: `${title}, ${container.name}`, container })),
  );
  return Promise.all(containers.map(({ title, container }) => readOne(title, container, sources)));
}

async function readOne(title: string, container: Container, sources: Sources): Promise<Given> {
  const given: Given = { title, container, findings: [] };
  const app = programs[container.args?.[0] ?? ''];
  if (app === undefined) return { ...given, findings: [`${title}: the image knows no ${container.args?.join(' ')}`] };
  const isGiven = (name: string) => container.env?.some((variable) => variable.name === name) ?? false;
  const shared = sharedWithApps[container.args?.[0] ?? ''] ?? [];
  given.findings.push(...shared.filter((name) => !isGiven(name)).map((name) => `${title}: ${name} is not given`));
  const shape = await shapeOf(app);
  const known = new Set(listSettings(shape).map(({ variable }) => variable));
  try {
    const { own, common } = envOf(container, sources);
    for (const name of Object.keys(own))
      if (!known.has(name) && !ofNode.has(name)) given.findings.push(`${title}: ${app} has no setting ${name}`);
    given.config = loadSettings(shape, { ...common, ...own }) as Settings<SettingsShape>;
  } catch (error) {
    given.findings.push(`${title}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return given;
}

const settingsOfAll = async (): Promise<Setting[]> =>
  (await Promise.all([...new Set(Object.values(programs))].map(shapeOf))).flatMap(listSettings);

/** Keys of the Secret that a container takes. */
const keysOf = ({ env = [] }: Container): string[] =>
  env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []);

export const secretKeysOf = (objects: readonly KubernetesObject[]): Set<string> =>
  new Set(workloadsOf(objects).flatMap(({ pod }) => containersOf(pod).flatMap(keysOf)));

/** Secret settings of an app that its Deployment does not take from the Secret: there is no safe place for them then. */
export async function missingSecretFindings(objects: readonly KubernetesObject[]): Promise<string[]> {
  const containers = workloadsOf(objects).flatMap(({ title, pod }) =>
    title.startsWith('Deployment ') ? containersOf(pod).map((container) => ({ title, container })) : [],
  );
  const findings = containers.map(async ({ title, container }) => {
    const settings = listSettings(await shapeOf(container.args?.[0] ?? ''));
    const taken = keysOf(container);
    return settings
      .filter(({ variable, visibility }) => visibility === 'secret' && !taken.includes(variable))
      .map(({ variable }) => `${title}: ${variable} is not taken from the Secret`);
  });
  return (await Promise.all(findings)).flat();
}

/** Secrets of the example that an app would take as they are. */
export async function liveExampleFindings(): Promise<string[]> {
  const example = parseEnv(exampleText());
  const live = (await settingsOfAll()).filter(
    ({ variable, visibility, schema }) =>
      visibility === 'secret' && example[variable] !== undefined && schema.safeParse(example[variable]).success,
  );
  return [...new Set(live.map(({ variable }) => `the ${variable} of secret.example.env works as it is`))];
}

/** Names of the ConfigMap that no app reads, or that are secrets; keys of the Secret that its example lacks, or that no one reads. */
export async function sourceFindings(objects: readonly KubernetesObject[], secret: Env): Promise<string[]> {
  const leaves = await settingsOfAll();
  const known = new Set(leaves.map(({ variable }) => variable));
  const read = [...secretKeysOf(objects)];
  const names = [...configMaps(objects).values()].flatMap((data) => Object.keys(data));
  return [
    ...names.filter((name) => !known.has(name)).map((name) => `no app reads the setting ${name}`),
    ...names.filter((name) => read.includes(name)).map((name) => `${name} is a secret`),
    ...read.filter((key) => !(key in secret)).map((key) => `secret.example.env has no ${key}`),
    ...Object.keys(secret)
      .filter((key) => !read.includes(key))
      .map((key) => `no container reads ${key} of secret.example.env`),
  ];
}
