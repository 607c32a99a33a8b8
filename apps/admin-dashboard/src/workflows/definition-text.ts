import type { GraphStep } from '../resources/graph-steps.ts';

type JsonObject = Record<string, unknown>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (definition: object): string => JSON.stringify(definition, null, 2);

export type ReadText = { definition: JsonObject; error?: undefined } | { definition?: undefined; error: string };

/** The definition that was typed, or the message why it is invalid. */
export function readDefinitionText(text: string): ReadText {
  try {
    const definition = JSON.parse(text) as unknown;
    return isObject(definition) ? { definition } : { error: 'A definition is a JSON object.' };
  } catch (error) {
    return { error: `This is not JSON yet: ${(error as Error).message}` };
  }
}

/** The maximum that the API accepts. */
const maxSteps = 100;

/** The part of a definition that can be drawn while it is typed: steps with a unique ID. */
export function drawableSteps({ steps }: JsonObject): GraphStep[] {
  const seen = new Map<string, GraphStep>();
  for (const step of Array.isArray(steps) ? steps.slice(0, maxSteps) : []) {
    if (!isObject(step) || typeof step['id'] !== 'string' || seen.has(step['id'])) continue;
    const { id, name, role, needs, approval, condition } = step as JsonObject & { id: string };
    const more = [stringOf(role), approval ? 'approval' : '', condition ? 'condition' : ''];
    seen.set(id, {
      key: id,
      name: stringOf(name) || id,
      needs: Array.isArray(needs) ? [...new Set(needs.filter((need) => typeof need === 'string'))] : [],
      note: more.filter((one) => one !== '').join(', '),
      tone: approval ? 'warn' : 'none',
    });
  }
  return [...seen.values()];
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The JSON merge patch from `before` to `after`: removed fields become null, lists are replaced as a whole. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).flatMap(([name, value]): [string, unknown][] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (JSON.stringify(old) === JSON.stringify(value)) return [];
    return [[name, isObject(value) && isObject(old) ? mergePatchOf(old, value) : value]];
  });
  return Object.fromEntries([...gone.map((name) => [name, null] as const), ...changed]);
}

/** The offset of the value at an API path (`steps.2.needs.0`), or of the enclosing value. */
export function offsetOf(text: string, path: string): number {
  let at = 0;
  for (const part of path.split('.')) {
    const next = /^\d+$/.test(part) ? itemOffset(text, at, Number(part)) : memberOffset(text, at, part);
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** Offsets of the strings and punctuation of JSON, without the insides of strings. */
function* marksOf(text: string, from: number): Generator<{ mark: string; at: number; end: number }> {
  const pattern = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found; found = pattern.exec(text))
    yield { mark: found[0], at: found.index, end: pattern.lastIndex };
}

const startAfter = (text: string, end: number): number => end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);

function memberOffset(text: string, from: number, name: string): number | undefined {
  let depth = 0;
  let key: string | undefined;
  for (const { mark, end } of marksOf(text, from)) {
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    else if (depth === 1 && mark === ':' && key === JSON.stringify(name)) return startAfter(text, end);
    else if (mark.startsWith('"')) key = depth === 1 ? mark : key;
    if (depth === 0) return undefined;
  }
  return undefined;
}

function itemOffset(text: string, from: number, index: number): number | undefined {
  let depth = 0;
  let passed = 0;
  for (const { mark, end } of marksOf(text, from)) {
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    else if (depth === 1 && mark === ',') passed += 1;
    if (depth === 0) return undefined;
    const isStart = depth === 1 && (mark === ',' || (mark === '[' && passed === 0));
    if (isStart && passed === index) return startAfter(text, end);
  }
  return undefined;
}
