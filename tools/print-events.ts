// Writes docs/events.md from the catalogue of events.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { events, exampleDataOf, publicEventTypes, type PublicEventType } from '@eas/contracts';
import prettier from 'prettier';
import { z } from 'zod';

const file = resolve(import.meta.dirname, '../docs/events.md');
const meaningOf = (schema: z.ZodType): string => z.globalRegistry.get(schema)?.description ?? '';

const families = Map.groupBy(publicEventTypes, (type) => type.split('.')[0] ?? '');

function section(type: PublicEventType): string {
  const data = events[type].data as z.ZodObject;
  const fields = Object.entries(data.shape).map(
    ([name, field]) => `| \`${name}\` | ${meaningOf(field as z.ZodType)} |`,
  );
  const example = JSON.stringify(exampleDataOf(type));
  return `### ${type}

${meaningOf(data)}

| field of \`data\` | meaning |
|---|---|
${fields.join('\n')}

\`\`\`text
${example}
\`\`\`
`;
}

const nameOf = (family: string) => (publicEventTypes.some((type) => type === family) ? family : `${family}.*`);
const linkTo = (type: string) => `[${type}](#${type.replace('.', '')})`;
const index = [...families].map(([family, types]) => `- \`${nameOf(family)}\`: ${types.map(linkTo).join(', ')}`);
const text = `<!-- Made by tools/print-events.ts from libs/shared/contracts/src/events; do not edit. -->

# Events

What webhooks, event streams and \`GET /v1/events\` carry, with \`data\` as below. New types and fields can be added.
A subscription is a type, a family or \`*\`.

${index.join('\n')}

${[...families].map(([family, types]) => `## ${family}\n\n${types.map(section).join('\n')}`).join('\n')}
`;
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(text, { ...options, filepath: file }));
