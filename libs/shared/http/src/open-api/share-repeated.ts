import type { Components } from './components.ts';
import { componentName } from './parameters.ts';

type Parameter = { name: string } | { $ref: string };
type Response = { $ref?: string; headers?: object; content?: { 'application/json'?: { schema: { $ref?: string } } } };
type Operation = { parameters?: Parameter[]; responses: Record<string, Response> };

/** Makes components of the parameters and responses that several operations have, each under the name of what it shows. */
export function shareRepeated(paths: Record<string, Record<string, unknown>>, components: Components): void {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as Operation[];
  const repeated = repeatedTexts(
    operations.flatMap(({ parameters = [], responses }) => [...parameters, ...Object.values(responses)]),
  );
  for (const operation of operations) {
    operation.parameters &&= operation.parameters.map((one) =>
      'name' in one && repeated.has(JSON.stringify(one))
        ? (components.tryAdd('parameters', `${componentName(one.name)}Filter`, one) ?? one)
        : one,
    );
    for (const [status, response] of Object.entries(operation.responses))
      if (repeated.has(JSON.stringify(response)))
        operation.responses[status] =
          components.tryAdd('responses', nameOfResponse(status, response), response) ?? response;
  }
}

function repeatedTexts(parts: readonly (Parameter | Response)[]): Set<string> {
  const texts = parts.filter((part) => !('$ref' in part)).map((part) => JSON.stringify(part));
  const counts = Map.groupBy(texts, (text) => text);
  return new Set([...counts].filter(([, same]) => same.length > 1).map(([text]) => text));
}

/** "TaskDetail", "TaskDetailReplayable" where an Idempotency-Key is kept, "TaskTimelineEntryCreated". */
function nameOfResponse(status: string, { headers = {}, content }: Response): string {
  const schema = content?.['application/json']?.schema.$ref?.replace(/^.*\//, '') ?? 'NoContent';
  if (status === '201') return `${schema}Created`;
  return 'Idempotent-Replayed' in headers ? `${schema}Replayable` : schema;
}
