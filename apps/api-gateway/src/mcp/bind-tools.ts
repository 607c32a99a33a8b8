import { unnamedMetadata } from '@eas/contracts';
import type { Route } from '@eas/http';
import type { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { toolCatalogue, type ToolEntry } from './tool-catalogue.ts';

type ToolDescription = z.infer<typeof ToolSchema>;

export type Tool = { route: Route; description: ToolDescription };

/** An argument that names an agent may be left out by an agent's own key. */
export const ownAgentArgument = 'agent_id';

/** The tools by name. Throws when one is for a route that there is not, at boot. */
export function bindTools(routes: readonly Route[], entries: readonly ToolEntry[] = toolCatalogue): Map<string, Tool> {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return new Map(
    entries.map((entry) => {
      const route = byName.get(entry.route);
      if (!route) throw new Error(`the tool ${entry.name} is for ${entry.route}, an unknown route`);
      return [entry.name, { route, description: describe(entry, route) }];
    }),
  );
}

function describe({ name, title, description, isReading }: ToolEntry, route: Route): ToolDescription {
  return {
    name,
    title,
    description,
    inputSchema: argumentsOf(route),
    outputSchema: resultSchemaOf(route),
    annotations: { title, readOnlyHint: isReading ?? false, destructiveHint: false, openWorldHint: false },
  };
}

function argumentsOf({ params, query, body }: Route): ToolDescription['inputSchema'] {
  const shape = { ...params?.shape, ...query?.shape, ...(body instanceof z.ZodObject ? body.shape : {}) };
  const own = shape[ownAgentArgument];
  if (own instanceof z.ZodType)
    shape[ownAgentArgument] = own.optional().meta({ description: 'Default: the agent of the key.' });
  const { $schema: _, ...schema } = z.toJSONSchema(z.strictObject(shape), {
    io: 'input',
    unrepresentable: 'any',
    metadata: unnamedMetadata,
  });
  return schema as ToolDescription['inputSchema'];
}

/** Objects stay open: fields may be added. No body: an object without fields. Errors are not structured content. */
function resultSchemaOf({ responses }: Route): NonNullable<ToolDescription['outputSchema']> {
  const results = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const schema = results.map(([, response]) => response.schema).find((one) => one !== undefined) ?? z.object({});
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    metadata: unnamedMetadata,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // A model reads the response itself.
      delete jsonSchema['example'];
    },
  });
  if (results.some(([, response]) => response.schema === undefined)) delete json.required;
  return { ...json, type: 'object' } as NonNullable<ToolDescription['outputSchema']>;
}
