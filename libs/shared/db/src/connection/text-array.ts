/** OID of `text` in every Postgres. */
const textOid = 25;
const headerBytes = 20;

/**
 * A parameter for `$n::text[]` in the binary format of Postgres: texts that are already UTF-8 bytes are neither escaped
 * nor parsed. U+0000 is an error of the statement, as in any text.
 */
export function textArray(texts: readonly Buffer[]): Buffer {
  const size = texts.reduce((sum, { length }) => sum + 4 + length, headerBytes);
  const array = Buffer.allocUnsafe(size);
  const [dimensions, hasNulls, firstIndex] = [1, 0, 1];
  [dimensions, hasNulls, textOid, texts.length, firstIndex].forEach((field, n) => array.writeInt32BE(field, 4 * n));
  let at = headerBytes;
  for (const text of texts) {
    at = array.writeInt32BE(text.length, at);
    at += text.copy(array, at);
  }
  return array;
}
