import type { Answer, Route } from './route.ts';

/** Throws when an answer is not one that its route documents: a programming error, looked for in tests. */
export function checkAnswer(route: Route, { status, body }: Answer): void {
  const documented = route.responses[status];
  if (!documented) throw new Error(`${route.method} ${route.path}: status ${status} is not documented`);
  const parsed = documented.schema?.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (parsed && !parsed.success)
    throw new Error(`${route.method} ${route.path}: the ${status} answer breaks its schema: ${parsed.error.message}`);
  if (!documented.schema && body !== undefined)
    throw new Error(`${route.method} ${route.path}: the ${status} answer has a body that is not documented`);
}
