import { type Page, type PageOfItems, profileListFields, type ProfileListQuery } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, selectList } from '@eas/db';
import { holdersIn } from '../holders.ts';
import { headFields } from './profile.store.ts';
import type { ProfileHead } from './profile.ts';

type Field = (typeof profileListFields)[number];
export type ProfileFilter = Pick<ProfileListQuery, Field>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  name: { sql: 'name', type: 'text' },
  description: { sql: 'description', type: 'text', isNullable: true, isLong: true },
  version: { sql: 'version', type: 'int' },
  // The id has the same time.
  created_at: { sql: 'id', type: 'text' },
  updated_at: { sql: 'updated_at', type: 'timestamptz' },
};
const columns = `${selectList(headFields)}, ARRAY(
  SELECT holder FROM profile_holders h WHERE h.tenant_id = profiles.tenant_id AND h.profile_id = profiles.id) AS holders`;
const source: ListSource = { from: 'profiles', columns, sortable };

type Row = Omit<ProfileHead, 'roles' | 'agents'> & { holders: string[] };

export async function pageProfiles(
  scope: DbScope,
  filter: ProfileFilter,
  page: Page,
): Promise<PageOfItems<ProfileHead>> {
  const conditions = profileListFields.map((field) => equals(field, filter[field]));
  const { items, ...rest } = await fetchPage<Row>(scope, source, conditions, page);
  const headOf = ({ holders, ...row }: Row) => ({ ...row, ...holdersIn(holders.map((holder) => ({ holder }))) });
  return { items: items.map(headOf), ...rest };
}
