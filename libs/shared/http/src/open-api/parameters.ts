import { z } from 'zod';
import { maxIfMatchLength } from '../reading/if-match.ts';
import { type Route, takesIfMatch } from '../routes/route.ts';
import type { Components, Ref } from './components.ts';
import type { JsonSchema } from './json-schema.ts';

type Location = 'path' | 'query' | 'header';
type Parameter = { name: string; in: Location; required?: true; description: string; schema: JsonSchema };

/** Parameters that mean the same in every list, and those that do so wherever they are. */
const sharedInLists = ['limit', 'offset', 'after'];
const shared = ['last_event_id'];

/** The parameters of an operation: path, query, headers. Those that several operations have are components. */
export function parametersOf(route: Route, components: Components): (Parameter | Ref)[] {
  const isList = route.query?.shape['offset'] !== undefined;
  const sharedNames = isList ? [...shared, ...sharedInLists] : shared;
  return [
    ...parametersIn(components, 'path', route.params).map((one) => share(components, one)),
    ...parametersIn(components, 'query', route.query, isList).map((one) =>
      sharedNames.includes(one.name) ? share(components, one) : one,
    ),
    ...parametersIn(components, 'header', headersOf(route)).map((one) => share(components, one)),
  ];
}

/** "agent_id" → AgentId, "Idempotency-Key" → IdempotencyKey. */
export const componentName = (name: string): string =>
  name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What a header says may be in a query too: last_event_id. */
const share = (components: Components, parameter: Parameter): Ref =>
  components.add(
    'parameters',
    `${componentName(parameter.name)}${parameter.in === 'header' ? 'Header' : ''}`,
    parameter,
  );

/** Those of a shape, as they are. */
export function parametersIn(
  components: Components,
  location: Location,
  shape?: z.ZodObject,
  isList = false,
): Parameter[] {
  if (!shape) return [];
  const { properties = {}, required = [] } = components.schemaOf(shape);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    ...(required.includes(name) ? { required: true as const } : {}),
    description: description ?? descriptionOf(name, location, isList),
    schema,
  }));
}

/** What a parameter means mostly follows from its location: an id in a path, a filter of a list. */
function descriptionOf(name: string, location: Location, isList: boolean): string {
  if (location === 'path') return `The ${name.replaceAll('_', ' ').replace(/ id$/, '’s id')}.`;
  return isList ? `Only items with this \`${name}\`.` : '';
}

function headersOf(route: Route): z.ZodObject {
  return z.object({
    ...(route.isIdempotent ? { 'Idempotency-Key': idempotencyKey } : {}),
    ...(takesIfMatch(route) ? { 'If-Match': ifMatch } : {}),
    ...(route.isStream ? { 'Last-Event-ID': lastEventId } : {}),
  });
}

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'A unique value that you choose, for example a UUID. A second request with the same key and body within 24 hours returns the first response and changes nothing.',
  );

const ifMatch = z
  .string()
  .max(maxIfMatchLength)
  .optional()
  .describe(
    'The `ETag` of the version that you read. If the resource has changed since, the response is 412. A tag that a compressing proxy has changed (`W/"1"`, `"1-gzip"`) stands for the same version.',
  );

const lastEventId = z
  .string()
  .max(15)
  .regex(/^\d*$/)
  .optional()
  .describe('The id of the last event that you received. The stream continues after it. Overrides `last_event_id`.');
