// An OpenAPI 3.1 document as the comparison reads it: references followed, `allOf` merged.
import { isDeepStrictEqual } from 'node:util';

export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, SchemaNode>>;
  required?: readonly string[];
  additionalProperties?: SchemaNode;
  items?: SchemaNode;
  allOf?: readonly SchemaNode[];
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  description?: string;
  readOnly?: boolean;
  [keyword: string]: unknown;
};
export type SchemaNode = Schema | boolean;

type Ref = { $ref?: string };
export type MediaTypes = Readonly<Record<string, { schema?: SchemaNode }>>;
export type Header = Ref & { required?: boolean; schema?: SchemaNode };
export type Parameter = Header & { name: string; in: string; style?: string; explode?: boolean };
type RequestBody = Ref & { required?: boolean; content?: MediaTypes };
export type Response = Ref & { headers?: Readonly<Record<string, Header>>; content?: MediaTypes };
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;
export type Operation = {
  operationId?: string;
  tags?: readonly string[];
  security?: readonly SecurityRequirement[];
  parameters?: readonly Parameter[];
  requestBody?: RequestBody;
  responses?: Readonly<Record<string, Response>>;
};
export type PathItem = Readonly<Record<string, Operation>>;
export type OpenApi = {
  security?: readonly SecurityRequirement[];
  paths?: Readonly<Record<string, PathItem>>;
  webhooks?: Readonly<Record<string, PathItem>>;
  components?: {
    schemas?: Readonly<Record<string, SchemaNode>>;
    securitySchemes?: Readonly<Record<string, object>>;
    [part: string]: unknown;
  };
};

export const DESCRIPTIVE = ['title', 'description', 'example', 'examples', 'deprecated', '$comment', 'externalDocs'];

const isLowerBound = (keyword: string): boolean => /^(min|exclusiveMin)/.test(keyword);
const isUpperBound = (keyword: string): boolean => /^(max|exclusiveMax)/.test(keyword);

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const inBoth = (left: unknown, right: unknown): unknown[] =>
  asList(left).filter((value) => asList(right).some((other) => isDeepStrictEqual(value, other)));

/** The intersection of a keyword in two schemas that both apply. `right` is the outer one: its annotations win. */
function mergeKeyword(keyword: string, left: unknown, right: unknown): unknown {
  if (keyword === 'required') return [...new Set([...asList(left), ...asList(right)])];
  if (keyword === 'type' || keyword === 'enum') return inBoth(left, right);
  if (keyword === 'properties') return mergeProperties(left as Properties, right as Properties);
  if (isLowerBound(keyword)) return Math.max(Number(left), Number(right));
  if (isUpperBound(keyword)) return Math.min(Number(left), Number(right));
  return right;
}

type Properties = NonNullable<Schema['properties']>;
function mergeProperties(left: Properties, right: Properties): Properties {
  const merged: Record<string, SchemaNode> = { ...left };
  for (const [name, node] of Object.entries(right)) {
    const other = left[name];
    merged[name] = other === undefined ? node : { allOf: [other, node] };
  }
  return merged;
}

function merge(left: Schema, right: Schema): Schema {
  const merged: Schema = { ...left };
  for (const [keyword, value] of Object.entries(right))
    merged[keyword] = keyword in left ? mergeKeyword(keyword, left[keyword], value) : value;
  return merged;
}

export type DocumentReader = ReturnType<typeof createReader>;

/** Reads one document. The same node always returns the same object, so that a comparison can detect cycles. */
export function createReader(document: OpenApi) {
  const flattened = new WeakMap<object, Schema>();
  const variantLists = new WeakMap<object, readonly Schema[]>();

  function lookUp(ref: string): unknown {
    const keys = ref.slice(2).split('/');
    const found = keys.reduce<unknown>(
      (node, key) => (node as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
    if (!ref.startsWith('#/') || found === undefined) throw new Error(`${ref} is not in the document.`);
    return found;
  }

  function resolve<T extends Ref>(node: T): T {
    return node.$ref === undefined ? node : resolve(lookUp(node.$ref) as T);
  }

  /** One schema without `$ref` and `allOf`; its parts still have theirs. */
  function flatten(node: SchemaNode): Schema {
    if (typeof node === 'boolean') return node ? {} : { enum: [] };
    const known = flattened.get(node);
    if (known) return known;
    const { $ref, allOf = [], ...own } = node;
    const target = $ref === undefined ? undefined : (lookUp($ref) as SchemaNode);
    const saysNoMore = allOf.length === 0 && Object.keys(own).every((keyword) => DESCRIPTIVE.includes(keyword));
    if (target !== undefined && saysNoMore) return flatten(target);
    const parts = [...(target === undefined ? [] : [target]), ...allOf].map(flatten);
    const flat = [...parts, own].reduce<Schema>(merge, {});
    flattened.set(node, flat);
    return flat;
  }

  /** The alternatives of a flat schema, each merged with its sibling keywords; the schema itself when it has none. */
  function variantsOf(flat: Schema): readonly Schema[] {
    const { anyOf, oneOf, ...rest } = flat;
    const alternatives = anyOf ?? oneOf;
    if (!alternatives) return [flat];
    const known = variantLists.get(flat);
    if (known) return known;
    const variants = alternatives.map((node) => merge(rest, flatten(node)));
    variantLists.set(flat, variants);
    return variants;
  }

  return { document, resolve, flatten, variantsOf };
}
