import type { Acceptance } from '@eas/contracts';

type Schema = {
  type?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minItems?: number;
};

/** What a contract asks for: an artifact of each kind, and a result that fits its schema. Everything passes and is true. */
export function broughtFor(contract: Acceptance | null): { artifacts: object[]; result?: unknown } {
  const { artifacts = [], result_schema: schema } = contract ?? {};
  const made = artifacts.map((kind) => ({ kind, title: 'Made by the demo', url: `https://example.com/${kind}` }));
  return schema ? { artifacts: made, result: valueOf(schema as Schema) } : { artifacts: made };
}

function valueOf({ type, enum: choices, required = [], properties = {}, items = {}, minItems = 0 }: Schema): unknown {
  if (choices) return choices[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {})]));
    case 'array':
      return Array.from({ length: minItems }, () => valueOf(items));
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    default:
      return 'from the demo';
  }
}
