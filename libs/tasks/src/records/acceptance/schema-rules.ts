import { type Constraint, hasMembers } from '@eas/core';

export type Problem = { path: string[]; constraint: Constraint; message: string };

const dialect = 'https://json-schema.org/draft/2020-12/schema';
/** A pattern may take for ever to match, and `$async` would let a schema call back. */
export const refusedKeywords = ['pattern', 'patternProperties', '$async'];

/** Bounds on a schema, wherever in it a reference may lead; what is within them is compiled. */
const maxObjects = 1_000;
const maxDepth = 24;
const maxListItems = 500;

/** The first thing in a schema that result schemas do not take, found without compiling it. */
export function problemOf(schema: Record<string, unknown>): Problem | undefined {
  return sizeProblem(schema, [], { objects: 0 }) ?? keywordProblems(schema, []);
}

function sizeProblem(value: unknown, path: string[], seen: { objects: number }): Problem | undefined {
  if (!hasMembers(value)) return undefined;
  seen.objects += 1;
  if (seen.objects > maxObjects) return tooLarge([], `must have at most ${maxObjects} objects and arrays`);
  if (path.length > maxDepth) return tooLarge(path, `must be nested at most ${maxDepth} levels deep`);
  if (Array.isArray(value) && value.length > maxListItems)
    return tooLarge(path, `must have at most ${maxListItems} items`);
  for (const [key, inner] of Object.entries(value)) {
    const problem = sizeProblem(inner, [...path, key], seen);
    if (problem) return problem;
  }
  return undefined;
}

const tooLarge = (path: string[], message: string): Problem => ({ path, constraint: 'max_size', message });

const referring = ['$ref', '$dynamicRef'];
const oneSchema = ['items', 'contains', 'additionalProperties', 'propertyNames', 'if', 'then', 'else', 'not'];
const alsoOneSchema = ['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'];
const manySchemas = [
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
];

/** Names of properties and plain values are no keywords. */
function keywordProblems(schema: unknown, path: string[]): Problem | undefined {
  if (!hasMembers(schema)) return undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const here = [...path, keyword];
    const problem = keywordProblem(keyword, value, here) ?? problemWithin(keyword, value, here);
    if (problem) return problem;
  }
  return undefined;
}

function keywordProblem(keyword: string, value: unknown, path: string[]): Problem | undefined {
  if (refusedKeywords.includes(keyword))
    return { path, constraint: 'unknown_field', message: 'is not supported in a result schema' };
  if (referring.includes(keyword) && !(typeof value === 'string' && value.startsWith('#')))
    return { path, constraint: 'format', message: 'must start with #, a reference within the schema' };
  if (keyword === '$schema' && value !== dialect) return { path, constraint: 'enum', message: `must be ${dialect}` };
  return undefined;
}

function problemWithin(keyword: string, value: unknown, path: string[]): Problem | undefined {
  if (oneSchema.includes(keyword) || alsoOneSchema.includes(keyword)) return keywordProblems(value, path);
  if (!manySchemas.includes(keyword) || !hasMembers(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const problem = keywordProblems(inner, [...path, name]);
    if (problem) return problem;
  }
  return undefined;
}
