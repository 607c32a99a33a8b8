import { printArguments, type Route } from '@eas/http';
import type { Tool as ToolDescription } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toolCatalogue, type ToolEntry } from './tool-catalogue.ts';

export type Tool = { route: Route; description: ToolDescription; defaults: Record<string, unknown> };

/** An argument that names an agent may be left out by an agent's own key. */
export const ownAgentArgument = 'agent_id';

/** The tools by name. Throws at boot when the route of a tool does not exist. */
export function bindTools(routes: readonly Route[], entries: readonly ToolEntry[] = toolCatalogue): Map<string, Tool> {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return new Map(
    entries.map((entry) => {
      const route = byName.get(entry.route);
      if (!route) throw new Error(`the tool ${entry.name} is for ${entry.route}, an unknown route`);
      return [entry.name, { route, description: describe(entry, route), defaults: entry.defaults ?? {} }];
    }),
  );
}

/** Results have no schema here: it is that of the route, and all schemas would make the list four times as long. */
function describe({ name, title, description, isReading, defaults }: ToolEntry, route: Route): ToolDescription {
  return {
    name,
    title,
    description,
    inputSchema: argumentsOf(route, defaults),
    annotations: { title, readOnlyHint: isReading ?? false, destructiveHint: false, openWorldHint: false },
  };
}

function argumentsOf(
  { params, query, body }: Route,
  defaults: ToolEntry['defaults'] = {},
): ToolDescription['inputSchema'] {
  const shape = { ...params?.shape, ...query?.shape, ...(body instanceof z.ZodObject ? body.shape : {}) };
  const own = shape[ownAgentArgument];
  if (own instanceof z.ZodType)
    shape[ownAgentArgument] = own.optional().meta({ description: 'Default: the agent of the key.' });
  for (const [name, value] of Object.entries(defaults)) shape[name] = (shape[name] as z.ZodType).default(value);
  return printArguments(z.strictObject(shape)) as ToolDescription['inputSchema'];
}
