import { hasMembers, type JsonObject } from '@eas/core';
import { fillIn, onlyPathIn } from './placeholder.ts';
import { type RunData, valueAt } from './run-data.ts';

const maxBytes = 64 * 1024;
/** The remaining size; it bounds the work as well as the result. */
type Budget = { bytes: number };

/**
 * Metadata with its placeholders filled in: a text that is one placeholder becomes the value itself, and is left out
 * where there is none. At the first key that does not fit into what metadata may hold, the rest is left out.
 */
export function renderMetadata(template: JsonObject, data: RunData): JsonObject {
  const rendered: [string, unknown][] = [];
  let left = maxBytes - '{}'.length;
  for (const [key, value] of Object.entries(template)) {
    const filled = render(value, data, { bytes: left });
    if (filled === undefined) continue;
    left -= byteLength({ [key]: filled });
    if (left < 0) break;
    rendered.push([key, filled]);
  }
  // An assignment would take the key __proto__ for the prototype.
  return Object.fromEntries(rendered);
}

function render(template: unknown, data: RunData, budget: Budget): unknown {
  if (typeof template === 'string') return renderText(template, data, budget);
  if (!hasMembers(template)) return template;
  if (Array.isArray(template))
    return template.map((item) => render(item, data, budget)).filter((item) => item !== undefined);
  const entries = Object.entries(template).map(([key, item]) => [key, render(item, data, budget)]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function renderText(text: string, data: RunData, budget: Budget): unknown {
  if (budget.bytes <= 0) return undefined;
  const path = onlyPathIn(text);
  const value = path === undefined ? fillIn(text, data, maxBytes) : valueAt(data, path);
  if (value !== undefined) budget.bytes -= byteLength(value);
  return value;
}

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
