// A separate thread, which carries the cost of tenants' schemas. The pool ends a thread that uses too much time.
import { parentPort } from 'node:worker_threads';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { type Problem, refusedKeywords } from './schema-rules.ts';

type Schema = Record<string, unknown>;

/** Requests: whether a schema is usable, or where a result does not match it. */
export type SchemaRequest = { schema: Schema } | { schema: Schema; result: unknown };
export type SchemaResponse = { problem?: Problem; misfits?: string[] };

/** Formats are annotations, as the dialect has it. */
const options = { strict: false, validateFormats: false, logger: false, allErrors: true } as const;
const rules = new Ajv2020(options);
const validators = new LRUCache<string, ValidateFunction>({ max: 100 });

parentPort?.on('message', (request: SchemaRequest) => {
  const response: SchemaResponse =
    'result' in request
      ? { misfits: misfitsOf(request.schema, request.result) }
      : { problem: problemInUse(request.schema) };
  parentPort?.postMessage(response);
});

/** Errors that only show when a schema is compiled: it is not of the dialect, or has a dangling reference. */
function problemInUse(schema: Schema): Problem | undefined {
  if (rules.validateSchema(schema) !== true) {
    const path = rules.errors?.[0]?.instancePath.split('/').slice(1) ?? [];
    return { path, constraint: 'format', message: 'is not a valid JSON Schema' };
  }
  try {
    validatorOf(schema);
    return undefined;
  } catch {
    const message = 'has a $ref that cannot be resolved';
    return { path: [], constraint: 'format', message };
  }
}

/** Where a result does not fit, as dotted paths from `result`; `result` itself where the schema refers to itself endlessly. */
function misfitsOf(schema: Schema, result: unknown): string[] {
  try {
    const validate = validatorOf(schema);
    if (validate(result)) return [];
    return [...new Set((validate.errors ?? []).slice(0, 100).map(pathOf))];
  } catch {
    return ['result'];
  }
}

function pathOf({ instancePath, params }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1);
  const own = (params as Schema)['missingProperty'] ?? (params as Schema)['additionalProperty'];
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return ['result', ...names, ...(typeof own === 'string' ? [own] : [])].join('.').slice(0, 500).toWellFormed();
}

function validatorOf(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema);
  const validator = validators.get(text) ?? compile(schema);
  validators.set(text, validator);
  return validator;
}

/** In an instance of its own: schemas of different tenants share no ids. Without patterns, wherever a reference leads. */
function compile(schema: Schema): ValidateFunction {
  const ajv = new Ajv2020({ ...options, validateSchema: false });
  for (const keyword of refusedKeywords) ajv.removeKeyword(keyword);
  return ajv.compile(schema);
}
