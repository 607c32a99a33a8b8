export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object: neither a list nor null. */
export const isJsonObject = (value: unknown): value is JsonObject => hasMembers(value) && !Array.isArray(value);

export const hasMembers = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** The value at a path of own keys; undefined where there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (!hasMembers(value) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
