import { createRequire } from 'node:module';

type Ajv = { validate(schema: object, value: unknown): boolean; errors?: unknown[] | null };

/** The violations of a schema of an OpenAPI document, by an independent validator; undefined if the value is valid. */
export function schemaErrors(document: { components?: object }, schema: object, value: unknown): unknown[] {
  const ajv = openAjv();
  return ajv.validate({ ...schema, components: document.components ?? {} }, value) ? [] : (ajv.errors ?? []);
}

/** The JSON Schema validator (2020-12) that the OpenAPI validator brings along; loaded only where it is used. */
function openAjv(): Ajv {
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = createRequire(require.resolve('@seriousme/openapi-schema-validator'))('ajv/dist/2020.js') as {
    Ajv2020: new (options: object) => Ajv;
  };
  return new Ajv2020({ strict: false, validateFormats: false });
}
