// Every string, array and number that the document describes has a bound, in requests, responses, headers and webhooks.
const typesOf = ({ type }) => (Array.isArray(type) ? type : [type]);
const isClosed = (schema) => schema.enum !== undefined || schema.const !== undefined;

function lacks(schema) {
  const types = typesOf(schema);
  const missing = [];
  if (isClosed(schema)) return missing;
  if (types.includes('string') && schema.maxLength === undefined) missing.push('maxLength');
  if (types.includes('array') && schema.maxItems === undefined) missing.push('maxItems');
  if (types.includes('integer') || types.includes('number')) {
    if (schema.minimum === undefined && schema.exclusiveMinimum === undefined) missing.push('minimum');
    if (schema.maximum === undefined && schema.exclusiveMaximum === undefined) missing.push('maximum');
  }
  return missing;
}

/** Walks a schema and what is inside it; `seen` ends circles, which a resolved document may have. */
function walk(schema, path, seen, findings) {
  if (schema === null || typeof schema !== 'object' || seen.has(schema)) return;
  seen.add(schema);
  for (const word of lacks(schema)) findings.push({ message: `${word} is missing`, path });
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    walk(inner, [...path, 'properties', name], seen, findings);
  for (const word of ['items', 'additionalProperties', 'not']) walk(schema[word], [...path, word], seen, findings);
  for (const word of ['anyOf', 'oneOf', 'allOf'])
    (schema[word] ?? []).forEach((inner, index) => walk(inner, [...path, word, index], seen, findings));
}

export default function bounded(schema, _options, { path }) {
  const findings = [];
  // A stream ends when its reader goes.
  if (path.includes('text/event-stream')) return findings;
  walk(schema, path, new Set(), findings);
  return findings;
}
