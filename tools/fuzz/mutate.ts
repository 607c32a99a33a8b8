/** Random numbers that a seed fixes (mulberry32): below 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Texts that parsers often handle wrongly. */
const tokens = [
  '',
  '\0',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '{"a":',
  '[[[[[[[[',
  '__proto__',
  'constructor',
  'null',
  'true',
  '-0',
  '1e999',
  '9007199254740993',
  '1e-400',
  '%',
  '%00',
  '%zz',
  '%e0%a4',
  '&',
  '=',
  '+',
  ';',
  '\r\n',
  '\u{1f600}',
  '\ufeff',
  '\u2028',
  'v1.',
  'sha256=',
  't=1,v1=',
  'payload=',
  'eas_live_',
];
const maxBytes = 8_192;

/** One to eight changes of `input`: bytes and tokens changed, put in, taken out, doubled, mixed with `other`. */
export function mutate(input: Buffer, other: Buffer, random: () => number): Buffer {
  let bytes = input;
  const below = (max: number) => Math.floor(random() * max);
  const pieceOf = (whole: Buffer) => {
    const start = below(whole.length + 1);
    return whole.subarray(start, start + below(32));
  };
  const insert = (piece: Buffer, removed = 0) => {
    const at = below(bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + removed)]);
  };
  const changes = [
    () => insert(Buffer.of(below(256)), 1),
    () => insert(Buffer.of(below(256))),
    () => insert(Buffer.alloc(0), 1 + below(16)),
    () => insert(Buffer.from(tokens[below(tokens.length)] ?? ''), below(3)),
    () => insert(pieceOf(bytes)),
    () => insert(pieceOf(other), below(16)),
    () => insert(Buffer.from(String(below(2 ** 32)))),
    () => insert(Buffer.from((tokens[below(tokens.length)] ?? '').repeat(below(200)))),
  ];
  for (let count = 1 + below(8); count > 0; count -= 1) changes[below(changes.length)]?.();
  return bytes.subarray(0, maxBytes);
}
