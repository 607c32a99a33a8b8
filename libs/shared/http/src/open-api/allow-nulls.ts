/** As much of a JSON schema as matters here. */
type Schema = {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
};
type Operation = { requestBody?: { content?: Record<string, { schema?: Schema }> } };

/**
 * Says of every optional field in the body of a POST that it may be null, which is as good as absent there. Fields of
 * several forms are left as they are: the reader does not look into them either.
 */
export function allowNulls<D extends { paths?: object | undefined }>(document: D): D {
  for (const { post } of Object.values(document.paths ?? {}) as { post?: Operation }[]) {
    if (!post?.requestBody) continue;
    // Parts of it may be parts of responses too.
    post.requestBody = structuredClone(post.requestBody);
    for (const { schema } of Object.values(post.requestBody.content ?? {})) if (schema) allowIn(schema);
  }
  return document;
}

function allowIn({ properties = {}, required = [], items, additionalProperties }: Schema): void {
  for (const [name, field] of Object.entries(properties)) {
    allowIn(field);
    if (!required.includes(name)) addNull(field);
  }
  if (items) allowIn(items);
  if (typeof additionalProperties === 'object') allowIn(additionalProperties);
}

function addNull(field: Schema): void {
  if (field.type === undefined) return;
  const types = [field.type].flat();
  if (types.includes('null')) return;
  field.type = [...types, 'null'];
  if (field.enum) field.enum = [...field.enum, null];
}
