/** Limits of a JSON text: levels of objects and lists, and the number of members in all of them. */
export type JsonLimits = { maxDepth: number; maxMembers: number };

export type JsonScan = {
  problem: 'too_deep' | 'too_many_members' | undefined;
  /** The key of the outermost object that contains the problem; undefined: the problem is elsewhere. */
  key: string | undefined;
  /** Texts at the paths that were asked for; of a repeated key the last one, as in JSON.parse. */
  found: ReadonlyMap<string, string>;
};

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
/** 1 for the bytes that have a meaning outside of texts. */
const isMark = new Uint8Array(256);
for (const byte of [quote, comma, colon, openList, closeList, openObject, closeObject]) isMark[byte] = 1;

/** Dotted paths of the texts to find. A key that is written with escapes is not recognised. */
export type WantedTexts = readonly { path: string; keys: readonly Buffer[] }[];

export const wantedTexts = (...paths: string[]): WantedTexts =>
  paths.map((path) => ({ path, keys: path.split('.').map((key) => Buffer.from(key)) }));

/**
 * Reads JSON bytes once and extracts only the wanted texts. This shows before parsing whether the text is too deep or
 * has too many members, and before verification whose it is. It does not check that the bytes are JSON. The time
 * depends only on their number.
 */
export function scanJson(bytes: Buffer, { maxDepth, maxMembers }: JsonLimits, wanted: WantedTexts = []): JsonScan {
  const found = new Map<string, string>();
  /** Of each level: whether it is an object, and where its last key begins and ends. */
  const isObject = [false];
  const keyStart = [0];
  const keyEnd = [0];
  let depth = 0;
  let members = 1;
  let isKeyNext = false;
  const isKeyAt = (level: number, key: Buffer) => isSame(bytes, keyStart[level] ?? 0, keyEnd[level] ?? 0, key);

  for (let index = nextMark(bytes, 0); index < bytes.length; index = nextMark(bytes, index + 1)) {
    const byte = bytes[index];
    if (byte === quote) {
      const start = index + 1;
      index = endOfText(bytes, start);
      if (isKeyNext) {
        keyStart[depth] = start;
        keyEnd[depth] = index;
      } else if (isObject[depth] === true) {
        for (const { path, keys } of wanted)
          if (keys.length === depth && keys.every((key, level) => isKeyAt(level + 1, key)))
            found.set(path, textOf(bytes, start, index));
      }
    } else if (byte === openObject || byte === openList) {
      if ((depth += 1) > maxDepth)
        return { problem: 'too_deep', key: outermost(bytes.subarray(keyStart[1], keyEnd[1])), found };
      isObject[depth] = isKeyNext = byte === openObject;
      keyStart[depth] = keyEnd[depth] = 0;
      members += 1;
    } else if (byte === comma) {
      members += 1;
      isKeyNext = isObject[depth] === true;
    } else {
      isKeyNext = false;
      if (byte !== colon && depth > 0) depth -= 1;
    }
    if (members > maxMembers) return { problem: 'too_many_members', key: undefined, found };
  }
  return { problem: undefined, key: undefined, found };
}

const isSame = (bytes: Buffer, start: number, end: number, key: Buffer): boolean =>
  end - start === key.length && bytes.compare(key, 0, key.length, start, end) === 0;

const marks = /["[\]{},:]/;
const shortRun = 64;

/**
 * The index of the next byte that has a meaning. White space and numbers are short. Longer runs are searched natively
 * in growing windows, since a JavaScript loop over megabytes would run before it is compiled.
 */
function nextMark(bytes: Buffer, from: number): number {
  let index = from;
  const end = Math.min(bytes.length, from + shortRun);
  while (index < end && isMark[bytes[index] as number] === 0) index += 1;
  if (index < end) return index;
  for (let size = shortRun; index < bytes.length; size *= 2) {
    const at = bytes.toString('latin1', index, index + size).search(marks);
    if (at >= 0) return index + at;
    index += size;
  }
  return bytes.length;
}

/** The index of the quote that ends a text. Most have no escape before it, and long ones are found at once. */
function endOfText(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(quote, from);
  if (end < 0) return bytes.length;
  if (end === from || bytes[end - 1] !== backslash) return end;
  let index = from;
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

const maxTextBytes = 2_048;

/** The text between two quotes; empty if it is longer than any wanted one, or malformed. */
function textOf(bytes: Buffer, start: number, end: number): string {
  if (end - start > maxTextBytes) return '';
  const text = bytes.toString('utf8', start, end);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return '';
  }
}

const outermost = (key: Buffer): string | undefined =>
  key.length > 0 ? key.toString('utf8').slice(0, 200) : undefined;
