// Kustomize and Helm must make the same objects: additions of the tools are left out, the rest is compared completely.
import { isDeepStrictEqual } from 'node:util';
import type { Json, KubernetesObject } from './objects.ts';

/** Labels and annotations by which the tools find their own objects again. */
const ofOneTool = /^(helm\.sh\/|checksum\/|app\.kubernetes\.io\/(managed-by|version)$)/;
const hashOfSettings = /eas-settings-[a-z0-9]{10}\b/g;

const isNamed = (value: Json): value is { name: string } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value['name'] === 'string';

/** Lists of named things (variables, ports, containers) have no order; a map that is empty is none. */
function normalise(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map(normalise);
    return items.every(isNamed) ? items.sort((a, b) => (a.name < b.name ? -1 : 1)) : items;
  }
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(([key]) => !ofOneTool.test(key))
    .map(([key, item]) => [key, normalise(item)] as const)
    .filter(([key, item]) => key !== 'annotations' || !isDeepStrictEqual(item, {}));
  return Object.fromEntries(entries);
}

/** Helm's Job runs before there is a ConfigMap and has its values as they are; empty is unset. */
function withSettings(value: Json, settings: Readonly<Record<string, string>>): Json {
  if (Array.isArray(value)) return value.map((item) => withSettings(item, settings));
  if (value === null || typeof value !== 'object') return value;
  const { valueFrom, ...rest } = value;
  const from = valueFrom as { configMapKeyRef?: { key: string } } | undefined;
  if (from?.configMapKeyRef) return { ...rest, value: settings[from.configMapKeyRef.key] ?? '' };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withSettings(item, settings)]));
}

function byTitle(objects: readonly KubernetesObject[]): Map<string, Json> {
  const text = JSON.stringify(objects).replaceAll(hashOfSettings, 'eas-settings');
  const settings = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const plain = withSettings(JSON.parse(text) as Json, settings) as unknown as KubernetesObject[];
  return new Map(
    plain.map((object) => [`${object.kind} ${object.metadata.name}`, normalise(object as unknown as Json)]),
  );
}

/** The first places in which two values differ: `spec.template.spec.containers.0.args`. */
function differencesOf(a: Json | undefined, b: Json | undefined, path: string): string[] {
  if (isDeepStrictEqual(a, b)) return [];
  const areMaps = [a, b].every((value) => typeof value === 'object' && value !== null);
  if (!areMaps) return [`${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`];
  const [left, right] = [a, b] as Record<string, Json>[];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  return [...keys].flatMap((key) => differencesOf(left?.[key], right?.[key], path === '' ? key : `${path}.${key}`));
}

/** One line for each difference between two renderings of the same system. */
export function differencesBetween(one: readonly KubernetesObject[], other: readonly KubernetesObject[]): string[] {
  const [left, right] = [byTitle(one), byTitle(other)];
  const titles = [...new Set([...left.keys(), ...right.keys()])].sort();
  return titles.flatMap((title) => {
    if (!left.has(title)) return [`${title} is only in the second`];
    if (!right.has(title)) return [`${title} is only in the first`];
    return differencesOf(left.get(title), right.get(title), '').map((line) => `${title}: ${line}`);
  });
}
