import type { Schemas } from '../api/client.ts';

export type Parameter = Schemas['WorkflowParameter'];

/** The control of a parameter: choices and booleans as a select, lists one item a line, objects as JSON. */
export type Control = 'choice' | 'flag' | 'number' | 'time' | 'lines' | 'json' | 'text';

export function controlOf({ type, enum: choices }: Parameter): Control {
  if (choices) return 'choice';
  const controls: Readonly<Record<string, Control>> = {
    boolean: 'flag',
    number: 'number',
    integer: 'number',
    timestamp: 'time',
    array: 'lines',
    object: 'json',
  };
  return controls[type] ?? 'text';
}

type Read = { value: unknown } | { error: string } | undefined;

/** The value of a text; undefined for an empty one, which leaves the parameter out. */
export function readParameter(parameter: Parameter, text: string): Read {
  if (text.trim() === '') return undefined;
  switch (controlOf(parameter)) {
    case 'choice':
      return { value: parameter.enum?.find((one) => String(one) === text) ?? text };
    case 'flag':
      return { value: text === 'true' };
    case 'number':
      return Number.isNaN(Number(text)) ? { error: 'Enter a number.' } : { value: Number(text) };
    case 'time':
      return Number.isNaN(Date.parse(text))
        ? { error: 'Enter a date and time.' }
        : { value: new Date(text).toISOString() };
    case 'lines':
      return text.trimStart().startsWith('[') ? readJson(text) : { value: linesOf(text) };
    case 'json':
      return readJson(text);
    default:
      return { value: text };
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `This is not JSON: ${(error as Error).message}` };
  }
}

export type Values = { values: Record<string, unknown>; errors: Record<string, string> };

/** The parameters of a run from texts by name; `more`: a JSON object with undeclared ones. */
export function readParameters(
  declared: Readonly<Record<string, Parameter>>,
  texts: Readonly<Record<string, string>>,
  more: string,
): Values {
  const result: Values = { values: {}, errors: {} };
  const take = (name: string, found: Read) => {
    if (found && 'error' in found) result.errors[name] = found.error;
    else if (found) result.values[name] = found.value;
  };
  const others = more.trim() === '' ? undefined : readJson(more);
  if (others && 'error' in others) result.errors[moreName] = others.error;
  else if (others && (typeof others.value !== 'object' || others.value === null || Array.isArray(others.value)))
    result.errors[moreName] = 'Enter a JSON object: {"name": "value"}.';
  else if (others) Object.assign(result.values, others.value);
  for (const [name, parameter] of Object.entries(declared)) take(name, readParameter(parameter, texts[name] ?? ''));
  return result;
}

/** Not a parameter name: those begin with a letter. */
export const moreName = '+';
