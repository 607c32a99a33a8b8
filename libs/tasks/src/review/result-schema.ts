import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { AppError, type Constraint } from '@eas/core';
import { runBounded } from './bounded-run.ts';

type Schema = Record<string, unknown>;

/** A schema that needs longer to be understood or met is refused: combinations of its parts may grow without end. */
const timeoutMs = 250;
const dialect = 'https://json-schema.org/draft/2020-12/schema';
/** Formats are annotations, as the dialect has it. */
const options = { strict: false, validateFormats: false, logger: false, allErrors: true } as const;
let keptDialect: Ajv2020 | undefined;

/** Throws invalid_input for what is no JSON Schema that results can be held to. */
export function assertResultSchema(schema: Schema): void {
  const problem = problemOf(schema) ?? problemInUse(schema);
  if (!problem) return;
  const field = ['contract.result_schema', ...problem.path].join('.').slice(0, 500).toWellFormed();
  throw new AppError('invalid_input', { field, constraint: problem.constraint, message: problem.message });
}

/** Where a result does not fit a schema that was checked, as dotted paths from `result`; `result` itself when that takes too long. */
export function misfitsOf(schema: Schema, result: unknown): string[] {
  try {
    const validate = validatorOf(schema);
    if (runBounded(() => validate(result), timeoutMs)) return [];
    return [...new Set((validate.errors ?? []).slice(0, 100).map(placeOf))];
  } catch {
    return ['result'];
  }
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1);
  const own = (params as Record<string, unknown>)['missingProperty'] ?? (params as Schema)['additionalProperty'];
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return ['result', ...names, ...(typeof own === 'string' ? [own] : [])].join('.').slice(0, 500).toWellFormed();
}

const maxKept = 100;
/** Least recently used first. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema);
  const validator = validators.get(text) ?? compile(schema);
  validators.delete(text);
  validators.set(text, validator);
  const [oldest] = validators.keys();
  if (validators.size > maxKept && oldest !== undefined) validators.delete(oldest);
  return validator;
}

/** In an instance of its own: schemas of strangers share no ids. Without patterns, wherever a reference leads. */
function compile(schema: Schema): ValidateFunction {
  const ajv = new Ajv2020({ ...options, validateSchema: false });
  for (const keyword of refusedKeywords) ajv.removeKeyword(keyword);
  return runBounded(() => ajv.compile(schema), timeoutMs);
}

type Problem = { path: string[]; constraint: Constraint; message: string };

const refusedKeywords = ['pattern', 'patternProperties', '$async'];
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

/** The first keyword that contracts do not take; names of properties and plain values are no keywords. */
function problemOf(schema: unknown, path: string[] = []): Problem | undefined {
  if (schema === null || typeof schema !== 'object') return undefined;
  const own = schema as Schema;
  for (const [keyword, value] of Object.entries(own)) {
    const here = [...path, keyword];
    const problem = keywordProblem(keyword, value, here) ?? problemWithin(keyword, value, here);
    if (problem) return problem;
  }
  return undefined;
}

function keywordProblem(keyword: string, value: unknown, path: string[]): Problem | undefined {
  if (refusedKeywords.includes(keyword))
    return { path, constraint: 'unknown_field', message: `contracts take no ${keyword}` };
  if (referring.includes(keyword) && !(typeof value === 'string' && value.startsWith('#')))
    return { path, constraint: 'format', message: 'references stay within the schema: they begin with #' };
  if (keyword === '$schema' && value !== dialect)
    return { path, constraint: 'enum', message: `the dialect is ${dialect}` };
  return undefined;
}

function problemWithin(keyword: string, value: unknown, path: string[]): Problem | undefined {
  if (oneSchema.includes(keyword) || alsoOneSchema.includes(keyword)) return problemOf(value, path);
  if (!manySchemas.includes(keyword) || value === null || typeof value !== 'object') return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const problem = problemOf(inner, [...path, name]);
    if (problem) return problem;
  }
  return undefined;
}

/** Knows what a schema is; that takes a while to learn, once. */
function knownDialect(): Ajv2020 {
  if (keptDialect) return keptDialect;
  keptDialect = new Ajv2020(options);
  void keptDialect.validateSchema({});
  return keptDialect;
}

/** What only shows when it is used: no schema of the dialect, or a reference to nothing. */
function problemInUse(schema: Schema): Problem | undefined {
  const rules = knownDialect();
  try {
    if (runBounded(() => rules.validateSchema(schema), timeoutMs) !== true) {
      const path = rules.errors?.[0]?.instancePath.split('/').slice(1) ?? [];
      return { path, constraint: 'format', message: 'this is no JSON Schema' };
    }
    validatorOf(schema);
    return undefined;
  } catch {
    return {
      path: [],
      constraint: 'format',
      message: 'the schema cannot be used: a reference leads nowhere, or endlessly',
    };
  }
}
