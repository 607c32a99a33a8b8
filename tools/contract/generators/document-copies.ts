// What generators cannot read is taken out of their copy of the document, each for a reason.
export type Document = {
  paths: Record<string, Record<string, { responses: Record<string, { headers?: unknown }> }>>;
  webhooks?: unknown;
  components: {
    responses: Record<string, { headers?: unknown }>;
    securitySchemes: Record<string, unknown>;
  };
};
export type Copy = { why: string; of: (document: Document) => Document };

/** A program that has no use for events of its own reads the same without them. */
export const withoutWebhooks: Copy = {
  why: 'it writes code for webhooks of OpenAPI 3.1 that does not compile, even of one webhook with one parameter',
  of: ({ webhooks: _, ...document }) => document,
};

export const forOgen: Copy = {
  why: 'it makes one Go type of a security scheme and a schema of the same name, and two of one name where responses of a schema differ in their headers',
  of(document) {
    const { webhooks: _, ...copy } = structuredClone(document);
    const operations = Object.values(copy.paths).flatMap((item) => Object.values(item));
    const responses = operations.flatMap((operation) => Object.values(operation.responses));
    for (const response of [...responses, ...Object.values(copy.components.responses)]) delete response.headers;
    return renamed(copy, (name) => `${name}Security`);
  },
};

/** With other names of the security schemes. */
function renamed(document: Document, nameOf: (name: string) => string): Document {
  const schemes = document.components.securitySchemes;
  const names = new Set(Object.keys(schemes));
  const rename = (part: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(part).map(([name, value]) => [names.has(name) ? nameOf(name) : name, value]));
  document.components.securitySchemes = rename(schemes);
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'security' && Array.isArray(value) ? (value as Record<string, unknown>[]).map(rename) : value,
  ) as Document;
}
