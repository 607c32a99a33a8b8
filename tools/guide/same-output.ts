// Compares an output with a page, loosely: shown keys and values must be there, `…` matches anything.

/** The first difference in words, or undefined. */
export function differenceOf(kind: 'json' | 'text', shown: string, output: string): string | undefined {
  if (kind === 'text') return missingLine(shown, output);
  const [expected, actual] = [jsonValues(shown), jsonValues(output)];
  if (!expected) return 'the page shows no JSON';
  if (!actual) return 'the output is no JSON';
  return differenceIn(expected, actual, '');
}

/** Shown lines must come in their order; others may be in between. */
function missingLine(shown: string, output: string): string | undefined {
  const lines = output.split('\n');
  let next = 0;
  for (const line of shown.split('\n').filter((text) => text.trim() !== '')) {
    const found = lines.findIndex((candidate, index) => index >= next && isLike(line, candidate));
    if (found === -1) return `no line like: ${line}`;
    next = found + 1;
  }
  return undefined;
}

/** One value, or one on each line. */
function jsonValues(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  for (const parts of [[text], lines]) {
    try {
      return parts.map((part) => JSON.parse(part) as unknown);
    } catch {
      // the other way is tried
    }
  }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function differenceIn(shown: unknown, actual: unknown, path: string): string | undefined {
  if (isObject(shown)) {
    if (!isObject(actual) || Array.isArray(shown) !== Array.isArray(actual)) return differs(path, shown, actual);
    for (const [key, value] of Object.entries(shown)) {
      const difference = differenceIn(value, (actual as Record<string, unknown>)[key], `${path}/${key}`);
      if (difference) return difference;
    }
    return undefined;
  }
  const isSame = typeof shown === 'string' && typeof actual === 'string' ? isLike(shown, actual) : shown === actual;
  return isSame ? undefined : differs(path, shown, actual);
}

const differs = (path: string, shown: unknown, actual: unknown): string =>
  `${path || 'the output'} is ${JSON.stringify(actual)}, the page shows ${JSON.stringify(shown)}`;

function isLike(shown: string, actual: string): boolean {
  const pattern = shown.trimEnd().split('…').map(escaped).join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(actual.trimEnd());
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
