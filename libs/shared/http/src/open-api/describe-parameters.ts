// What a parameter means follows from its place: an id in a path, a filter of a list. Said here once, not in every route.
type Parameter = { name: string; in: string; description?: string };
type Operation = { parameters?: (Parameter | { $ref: string })[] };

/** Gives a description to each parameter that has none and whose place tells what it means. */
export function describeParameters<D extends { paths?: object | undefined }>(document: D): D {
  for (const path of Object.values(document.paths ?? {}) as Record<string, Operation>[])
    for (const { parameters = [] } of Object.values(path)) {
      const own = parameters.filter((parameter): parameter is Parameter => 'name' in parameter);
      const isList = own.some(({ name }) => name === 'limit');
      for (const parameter of own) parameter.description ??= descriptionOf(parameter, isList);
    }
  return document;
}

function descriptionOf({ name, in: place }: Parameter, isList: boolean): string | undefined {
  const words = name.replaceAll('_', ' ');
  if (place === 'path') return `The ${words.replace(/ id$/, '’s id')}.`;
  return place === 'query' && isList ? `Only items whose ${words} is this.` : undefined;
}
