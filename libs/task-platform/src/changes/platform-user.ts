import { hasMembers } from '@eas/core';
import { idText, shortText } from './platform-value.ts';

/** A user of the platform as a body names them. `key` tells users apart: the id, else the e-mail address or the name. */
export type PlatformUser = { key: string; id: string | null; name: string | null; email: string | null };

/**
 * Users given as {id, username, email}, as ids or as names; one or a list, each once. What names no user is left out.
 */
export function readUsers(value: unknown): PlatformUser[] {
  const users = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => readUser(one) ?? []);
  return [...new Map(users.map((user) => [user.key, user])).values()].slice(0, 50);
}

function readUser(value: unknown): PlatformUser | undefined {
  if (!hasMembers(value)) {
    const text = idText(value);
    if (text === undefined) return undefined;
    const isId = typeof value === 'number' || /^\d+$/.test(text);
    return userOf({ id: isId ? text : undefined, name: isId ? undefined : text });
  }
  const { id, userid, username, name, email } = value;
  return userOf({ id: idText(id) ?? idText(userid), name: shortText(username) ?? shortText(name), email });
}

function userOf({ id, name, email }: { id?: string; name?: string; email?: unknown }): PlatformUser | undefined {
  const mail = shortText(email)?.toLowerCase();
  const key = id ?? mail ?? name?.toLowerCase();
  return key === undefined ? undefined : { key, id: id ?? null, name: name ?? null, email: mail ?? null };
}

/** Agent or role that a user stands for by the integration's map: by id, then e-mail address, then name. */
export function targetOf(map: Record<string, string>, { id, email, name }: PlatformUser): string | undefined {
  const keys = [id, email, name].flatMap((key) => (key === null ? [] : [key.toLowerCase()]));
  return keys.filter((key) => Object.hasOwn(map, key)).map((key) => map[key])[0];
}
