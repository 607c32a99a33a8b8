import { ruleOfIssue } from '@eas/contracts';
import { AppError, hasMembers } from '@eas/core';
import { z } from 'zod';
import { violationsOf } from './violations.ts';

/** Parses a JSON body against a route's schema; throws invalid_input with all violations. */
export type BodyReader = (body: unknown) => unknown;

/** Preprocessing of a value before its schema: of an object, or of each item of a list or record. */
type Preparation = ObjectPreparation | { each: Preparation };
type ObjectPreparation = {
  readOnly: ReadonlySet<string>;
  /** Keys for which null means absent. */
  nullIsAbsent: ReadonlySet<string>;
  nested: readonly [key: string, preparation: Preparation][];
};

/** Unknown keys are refused, read-only ones dropped. If null is not accepted it means absent, except in PATCH. */
export function bodyReader(
  schema: z.ZodType,
  { readOnly, isPatch }: { readOnly: readonly string[]; isPatch: boolean },
): BodyReader {
  const strict = schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema;
  const preparation = prepareFor(strict, new Set(readOnly), isPatch);
  return (body) => {
    if (preparation) prepare(preparation, body);
    const parsed = strict.safeParse(body, { error: ruleOfIssue });
    if (parsed.success) return parsed.data;
    throw new AppError('invalid_input', { violations: violationsOf(parsed.error, body) });
  };
}

function prepareFor(schema: z.ZodType, readOnly: ReadonlySet<string>, isPatch: boolean): Preparation | undefined {
  const object = unwrap(schema);
  // A patch replaces a list as a whole: fields that its items omit are absent.
  if (object instanceof z.ZodArray) return each(prepareFor(object.element as z.ZodType, new Set(), false));
  if (object instanceof z.ZodRecord) return each(prepareFor(object.valueType as z.ZodType, new Set(), isPatch));
  if (!(object instanceof z.ZodObject)) return undefined;
  const fields = Object.entries(object.shape as Record<string, z.ZodType>);
  const nullIsAbsent = new Set(isPatch ? [] : fields.filter(([, field]) => !takesNull(field)).map(([key]) => key));
  const nested: [string, Preparation][] = [];
  for (const [key, field] of fields) {
    const inner = prepareFor(field, new Set(), isPatch);
    if (inner) nested.push([key, inner]);
  }
  return { readOnly, nullIsAbsent, nested };
}

const each = (preparation: Preparation | undefined) => preparation && { each: preparation };

function takesNull(schema: z.ZodType): boolean {
  return schema.safeParse(null).success;
}

/** The schema without its wrappers; of a union that contains a list, the list. */
function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
    inner = inner.unwrap() as z.ZodType;
  if (!(inner instanceof z.ZodUnion)) return inner;
  return (inner.options as z.ZodType[]).find((option) => option instanceof z.ZodArray) ?? inner;
}

function prepare(preparation: Preparation, body: unknown): void {
  if (!hasMembers(body)) return;
  if ('each' in preparation) return Object.values(body).forEach((item) => prepare(preparation.each, item));
  const { readOnly, nullIsAbsent, nested } = preparation;
  for (const key in body) {
    if ((body[key] === null && nullIsAbsent.has(key)) || readOnly.has(key)) delete body[key];
  }
  for (const [key, inner] of nested) if (Object.hasOwn(body, key)) prepare(inner, body[key]);
}
