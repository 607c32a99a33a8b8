type Json = Record<string, unknown>;

/** The object after a JSON merge patch (RFC 7396): null removes a key, objects are merged, anything else replaces. */
export function mergePatch(target: Json, patch: Json): Json {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergePatch(asObject(merged.get(key)), value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const asObject = (value: unknown): Json => (isObject(value) ? value : {});
