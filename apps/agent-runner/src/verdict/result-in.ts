import { z } from 'zod';

type Found = { result: Record<string, unknown>; problem?: undefined } | { problem: string; result?: undefined };

const opening = /^[ \t]*(`{3,}|~{3,})[ \t]*(?:json)?[ \t]*$/i;

/** The result that a message ends with: the JSON object in its last block of code, or the whole message. */
export function resultIn(text: string, schema: Record<string, unknown>): Found {
  const candidate = lastBlock(text) ?? text;
  let result: unknown;
  try {
    result = JSON.parse(candidate);
  } catch {
    return { problem: 'the last message does not end with a JSON object in a block ```json' };
  }
  if (typeof result !== 'object' || result === null || Array.isArray(result))
    return { problem: 'what the last message ends with is no JSON object' };
  const misfit = misfitOf(result, schema);
  return misfit === undefined ? { result: result as Record<string, unknown> } : { problem: misfit };
}

/** Undefined: no block of code is closed. */
function lastBlock(text: string): string | undefined {
  let [block, last]: [{ fence: string; lines: string[] } | undefined, string | undefined] = [undefined, undefined];
  for (const line of text.split('\n')) {
    if (block && line.trim() === block.fence) {
      last = block.lines.join('\n');
      block = undefined;
    } else if (block) block.lines.push(line);
    else {
      const fence = opening.exec(line)?.[1];
      if (fence !== undefined) block = { fence, lines: [] };
    }
  }
  return last;
}

/** As far as the schema can be read here: the service decides. */
function misfitOf(result: object, schema: Record<string, unknown>): string | undefined {
  let checked;
  try {
    checked = z.fromJSONSchema(schema as never).safeParse(result);
  } catch {
    return undefined;
  }
  if (checked.success) return undefined;
  const problems = checked.error.issues.slice(0, 10);
  return problems.map(({ path, message }) => `${path.join('.') || 'the result'}: ${message}`).join('; ');
}
