// Specmatic derives requests from schemas alone. What schemas cannot express is removed from its copy of the document.
type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  enum?: unknown[];
  additionalProperties?: unknown;
};
type Parameter = { name: string; in: string; schema: Schema };
type Ref = { $ref: string };
type Operation = {
  security?: unknown;
  parameters?: (Parameter | Ref)[];
  requestBody?: { content: Record<string, { schema: Schema & Partial<Ref> }> };
};
export type ContractDocument = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: unknown;
  components?: { securitySchemes?: Record<string, unknown> } & Record<string, unknown>;
};

/** Operations that Specmatic cannot call on its own, and why. */
const leftOut: readonly [pattern: RegExp, why: string][] = [
  [/^delete /, 'would remove what the other calls read'],
  [/\/leases\/|\/claims$/, 'a lease has a token that each change of hands makes worthless'],
  [/\/runs\/\{run_id\}\/(cancel|pause|resume)$/, 'works in one state alone, and leaves it'],
  [/\/retry$|\/approve$|\/reject$|\/rotate|\/resend$|\/replays/, 'works in one state alone, and leaves it'],
  [/\/inputs\/\{input_id\}/, 'an input belongs to a lease'],
  [/\/artifacts\/\{artifact_id\}/, 'an artifact belongs to a lease'],
  [/ \/v1\/local-runners/, 'would start and end processes on this machine'],
  [/\/permissions\/\{permission_id\}/, 'a permission belongs to an answer'],
  [/\/inbound-events\/\{|\/inbound-replays/, 'another system has to send one'],
  [/\/reconciliations\//, 'another system has to list tasks for one'],
  [/\/agents\/me(\/leases)?$/, 'is for the key of an agent'],
  [/\/agents\/\{agent_id\}\/profile$/, 'an agent has one only where it is given to it'],
  [/ \/admin\/api\/names$/, 'a text of any length is no list of ids'],
  [/ \/admin\/api\/session(\/password)?$/, 'takes a person’s password and is throttled'],
  [
    /^(post|patch) \/v1\/(webhooks|integrations)/,
    'texts must be addresses, event types and secrets that fit each other',
  ],
  [
    /^(post|patch) \/v1\/projects(\/\{project_id\})?$/,
    'names must be free, and texts addresses, branches and paths that git takes',
  ],
  [
    /^(post|patch) \/v1\/(profiles|policies|budgets)(\/\{\w+\})?$/,
    'names and places must be free, and fields must fit each other',
  ],
  [/ \/v1\/runners\/|^post \/v1\/runners$/, 'a runner belongs to an agent that must be there'],
  [
    /^(post|patch) \/v1\/workflows(\/\{workflow_id\}|\/validate)?$/,
    'steps must need each other without a circle, and templates name what there is',
  ],
  [
    / \/webhook\/| \/oauth\/| \/\.well-known\//,
    'is signed, takes forms, or is for browsers; suites of OAuth and of receivers call them',
  ],
  [/^(post|patch) \/admin\/api\/(users|clients)/, 'addresses must be free, redirect addresses must be allowed ones'],
  [
    /^get \/v1\/(inputs|events|webhooks\/\{webhook_id\}\/events)$/,
    'answers to forms have fields of any name within one of several schemas, where it knows none',
  ],
  [/\/stream$|\{(task|run)_id\}\/(session\/)?events$/, 'never ends'],
];

/** Body fields that must name something that exists, lie in the future, be a schema of their own, or fit another field. */
const leftOutFields = ['assigned_agent', 'project', 'agent_id', 'expires_at', 'status', 'contract', 'rate_limit'];
/** More queries are combined without end. */
const maxQueries = 4;

const isLeftOut = (name: string): boolean => leftOut.some(([pattern]) => pattern.test(name));

/** The copy, with ids of things that are there in place of path parameters. Throws where an id is missing. */
export function documentForSpecmatic(
  document: ContractDocument,
  ids: Readonly<Record<string, string>>,
): ContractDocument {
  const copy = withoutExamples(document);
  delete copy.webhooks;
  // It knows no credential in a cookie; tokens and sessions have suites of their own.
  const { apiKey } = copy.components?.securitySchemes ?? {};
  if (copy.components) copy.components.securitySchemes = { apiKey };
  for (const [path, item] of Object.entries(copy.paths)) {
    for (const [method, operation] of Object.entries(item))
      if (isLeftOut(`${method} ${path}`)) delete item[method];
      else prepare(copy, operation, ids);
    if (Object.keys(item).length === 0) delete copy.paths[path];
  }
  return copy;
}

/** A copy of the target of a reference: a change for one operation must not affect others. */
function found<T extends object>(document: ContractDocument, part: T | Ref): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
  const steps = part.$ref.split('/').slice(1);
  const target = steps.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return structuredClone(found<T>(document, target as T));
}

/** It would send the examples of bodies to paths and with fields that are not theirs here. Lists of values stay. */
const withoutExamples = (document: ContractDocument): ContractDocument =>
  JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'examples' && !Array.isArray(value) ? undefined : value,
  ) as ContractDocument;

function prepare(document: ContractDocument, operation: Operation, ids: Readonly<Record<string, string>>): void {
  // Header parameters (Idempotency-Key, If-Match) speak of earlier calls; `after` names an item and excludes `offset`.
  const all = (operation.parameters ?? []).map((parameter) => found<Parameter>(document, parameter));
  const parameters = all.filter(({ name, in: location }) => location !== 'header' && name !== 'after');
  const queries = parameters.filter(({ in: location }) => location === 'query').slice(0, maxQueries);
  const inPath = parameters.filter(({ in: location }) => location === 'path');
  for (const parameter of inPath) {
    const id = ids[parameter.name];
    if (id === undefined) throw new Error(`Specmatic needs a value for ${parameter.name}: suites/specmatic.ts`);
    parameter.schema = { type: 'string', enum: [id] };
  }
  operation.parameters = [...inPath, ...queries];
  operation.security = [{ apiKey: [] }];
  // The two names of a merge patch mean the same.
  delete operation.requestBody?.content['application/merge-patch+json'];
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.schema = found<Schema>(document, content.schema);
    prepareBody(content.schema);
  }
}

function prepareBody(schema: Schema): void {
  for (const name of leftOutFields) delete schema.properties?.[name];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    // null in an optional field is taken as absent, so it is no mistake to be refused.
    if (!schema.required?.includes(name) && typeof field.type === 'string') {
      field.type = [field.type, 'null'];
      if (field.enum) field.enum.push(null);
      // Specmatic accepts this next to a single type only; leaving it out means the same.
      delete field.additionalProperties;
    }
}
