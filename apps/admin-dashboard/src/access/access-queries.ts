import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Schemas } from '../api/client.ts';
import { type ListPage, readOn } from '../api/read-on.ts';
import type { NameSource } from '../resources/names/name-source.ts';
import { byNameOrId } from '../resources/names/sources.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { AuditSearch, KeySearch, UserSearch } from './access-search.ts';
import type { Client, Entry, Key, User } from './access-words.ts';

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/admin/api/keys/{key_id}', { params: { path: { key_id: id } }, signal })),
  });

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: ['clients', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/admin/api/clients/{client_id}', { params: { path: { client_id: id } }, signal })),
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/admin/api/users/{user_id}', { params: { path: { user_id: id } }, signal })),
  });

/** By name: for choosing one, and for showing whose something is. */
const usersQuery = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: ({ signal }) =>
    readOn(async (after) => {
      const query = { limit: 100, sort: 'name' as const, after };
      return (await read(api.GET('/admin/api/users', { params: { query }, signal }))) as ListPage<User>;
    }),
});

export const userNames: NameSource<User> = {
  one: 'user',
  many: 'users',
  scope: 'admin',
  list: usersQuery,
  by: 'name, e-mail or ID',
  find: async (text) => {
    const query = text.includes('@') ? { email: text } : byNameOrId(text);
    return (await read(api.GET('/admin/api/users', { params: { query } }))).data;
  },
  labelOf: ({ name, email }) => `${name} (${email})`,
};

/** Webhooks by address: for showing whose something is. */
export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'names'],
  queryFn: ({ signal }) =>
    readOn(async (after) => {
      const query = { limit: 100, after };
      return (await read(api.GET('/v1/webhooks', { params: { query }, signal }))) as ListPage<Schemas['Webhook']>;
    }),
});

export const keyPages = ({ new: _new, ...filters }: KeySearch): PageSource<Key> => ({
  queryKey: ['keys', 'list', filters],
  read: async (after, signal) => {
    const query = { ...filters, limit: 100, after };
    return (await read(api.GET('/admin/api/keys', { params: { query }, signal }))) as CursorPage<Key>;
  },
});

export const clientPages: PageSource<Client> = {
  queryKey: ['clients', 'list'],
  read: async (after, signal) => {
    const query = { limit: 100, after };
    return (await read(api.GET('/admin/api/clients', { params: { query }, signal }))) as CursorPage<Client>;
  },
};

export const userPages = ({ new: _new, ...filters }: UserSearch): PageSource<User> => ({
  queryKey: ['users', 'list', filters],
  read: async (after, signal) => {
    const query = { ...filters, limit: 100, after };
    return (await read(api.GET('/admin/api/users', { params: { query }, signal }))) as CursorPage<User>;
  },
});

export const auditPages = ({ entry: _entry, ...filters }: AuditSearch): PageSource<Entry> => ({
  queryKey: ['audit', 'list', filters],
  read: async (after, signal) => {
    const query = { ...filters, limit: 100, after };
    return (await read(api.GET('/admin/api/audit', { params: { query }, signal }))) as CursorPage<Entry>;
  },
});

export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'one', id],
    queryFn: async ({ signal }) => {
      const page = await read(api.GET('/admin/api/audit', { params: { query: { id, limit: 1 } }, signal }));
      return (page.data[0] ?? null) as Entry | null;
    },
  });
