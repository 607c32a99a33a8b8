import { BlockList } from 'node:net';
import { z } from 'zod';

/** Whole number between two bounds, both included. */
export function integer(min: number, max: number) {
  const expected = `an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** Number from 0 to 1. */
export function share() {
  const expected = 'a number from 0 to 1';
  return z
    .string()
    .refine((value) => value.trim() !== '' && Number(value) >= 0 && Number(value) <= 1, expected)
    .transform(Number);
}

/** TCP port; 0 lets the system choose. */
export const port = () => integer(0, 65_535);

/** `true`, `1`, `yes` or `false`, `0`, `no`. */
export function flag() {
  return z
    .string()
    .regex(/^(true|false|1|0|yes|no)$/i, 'true or false')
    .transform((text) => /^(true|1|yes)$/i.test(text));
}

export function text(min = 1, max = 4_096) {
  return z.string().min(min, `${min} to ${max} characters`).max(max, `${min} to ${max} characters`);
}

/** Absolute URL with one of the protocols (each with its colon). The value is the text without its final slashes. */
export function url(...protocols: string[]) {
  return z
    .string()
    .refine((value) => protocols.includes(protocolOf(value)), {
      message: `a URL that starts with ${protocols.join('// or ')}//`,
      abort: true,
    })
    .refine(isDecodable, undecodable)
    .transform((value) => value.replace(/\/+$/, ''));
}

/** Comma-separated addresses of Redis; the value is the text. */
export function redisUrls() {
  const isAddress = (one: string) => ['redis:', 'rediss:'].includes(protocolOf(one)) && new URL(one).hostname !== '';
  const addresses = (value: string) => value.split(',').map((one) => one.trim());
  return text()
    .refine((value) => addresses(value).every(isAddress), {
      message: 'redis:// or rediss:// addresses such as redis://host:6379, comma-separated',
      abort: true,
    })
    .refine((value) => addresses(value).every(isDecodable), undecodable);
}

const undecodable = 'a user and password in which % and other special characters are percent-encoded';

function isDecodable(address: string): boolean {
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Comma-separated texts; spaces around them are trimmed, empty ones are omitted. */
export function list() {
  return z.string().transform(splitList);
}

/** Comma-separated numbers of at least 0. */
export function numberList() {
  return list()
    .refine(
      (items) => items.length > 0 && items.every((item) => /^\d+(\.\d+)?$/.test(item)),
      'numbers, comma-separated',
    )
    .transform((items) => items.map(Number));
}

/** Comma-separated address ranges such as 10.0.0.0/8 or ::1/128. */
export function cidrList() {
  return list().refine((items) => items.every(isCidr), 'address ranges such as 10.0.0.0/8, comma-separated');
}

/** Comma-separated origins such as https://app.example.com: only scheme, host and port. */
export function originList() {
  const isOrigin = (item: string) => /^https?:$/.test(protocolOf(item)) && new URL(item).origin === item;
  return list().refine((items) => items.every(isOrigin), 'origins such as https://app.example.com, comma-separated');
}

/** Comma-separated 32-byte keys in base64: the first seals, all open. */
export function keyList() {
  return list().refine(
    (items) => items.length > 0 && items.every((item) => Buffer.from(item, 'base64').length === 32),
    '32 bytes in base64, or a comma-separated list of such keys',
  );
}

function splitList(value: string): string[] {
  return value.split(',').flatMap((item) => item.trim() || []);
}

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : '';
}

function isCidr(value: string): boolean {
  const [address = '', bits = ''] = value.split('/');
  if (!/^\d{1,3}$/.test(bits)) return false;
  try {
    new BlockList().addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}
