import { isJsonObject, type JsonObject } from '@eas/core';

/** The object after a JSON merge patch (RFC 7396): null removes a key, objects are merged, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isJsonObject(value) ? mergePatch(asObject(merged.get(key)), value) : value);
  }
  return Object.fromEntries(merged);
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
