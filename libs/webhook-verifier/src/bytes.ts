export type Bytes = Uint8Array<ArrayBuffer>;

export const isRaw = (value: unknown): value is string | Uint8Array =>
  typeof value === 'string' || ArrayBuffer.isView(value);

export function bytesOf(raw: string | Uint8Array): Uint8Array {
  return typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}
