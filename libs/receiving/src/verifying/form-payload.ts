const field = Buffer.from('payload=');
const [ampersand, percent, plus, space, openBrace] = [0x26, 0x25, 0x2b, 0x20, 0x7b];

/**
 * The JSON bytes of a body: the body itself, or the first `payload=` of a form. Undefined: a form without
 * it. What begins as an object is JSON whatever its type. It takes time by the number of bytes alone.
 */
export function payloadOf(raw: Buffer, contentType: string | undefined): Buffer | undefined {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '') && raw[0] !== openBrace;
  if (!isForm && !raw.subarray(0, field.length).equals(field)) return raw;
  const start = startOfField(raw);
  if (start === undefined) return undefined;
  const end = raw.indexOf(ampersand, start);
  return decoded(raw.subarray(start, end < 0 ? raw.length : end));
}

function startOfField(raw: Buffer): number | undefined {
  for (let at = raw.indexOf(field); at >= 0; at = raw.indexOf(field, at + field.length))
    if (at === 0 || raw[at - 1] === ampersand) return at + field.length;
  return undefined;
}

/** A percent sign without two hexadecimal digits stays, as everywhere on the web. */
function decoded(encoded: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let index = 0; index < encoded.length; index += 1) {
    const byte = encoded[index] as number;
    const value = byte === percent ? hexByte(encoded, index + 1) : undefined;
    bytes[length] = value ?? (byte === plus ? space : byte);
    length += 1;
    if (value !== undefined) index += 2;
  }
  return bytes.subarray(0, length);
}

function hexByte(bytes: Buffer, at: number): number | undefined {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function hexDigit(byte = 0): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}
