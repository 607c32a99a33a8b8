import { expect, it } from '@jest/globals';
import { readAuditSearch, readEditSearch, readKeySearch, readNewSearch, readUserSearch } from './access-search.ts';

it('addresses of the lists contain the filters and whether a form is open', () => {
  const keys = { status: 'revoked', agent_id: 'agt_1', new: true };
  expect(readKeySearch(keys)).toEqual(keys);
  const users = { status: 'invited', role: 'viewer', new: true };
  expect(readUserSearch(users)).toEqual(users);
  const audit = { action: 'user.deleted', actor_id: 'usr_1', created_after: '2026-11-20T10:00:00Z', entry: 'aud_1' };
  expect(readAuditSearch(audit)).toEqual(audit);
  expect([readNewSearch({ new: true }), readEditSearch({ edit: true })]).toEqual([{ new: true }, { edit: true }]);
});

it('unknown parts of an address are ignored', () => {
  const other = { status: 'gone', role: 'owner', new: 'yes', edit: 1, action: {}, after: 'x' };
  for (const read of [readKeySearch, readUserSearch, readAuditSearch, readNewSearch, readEditSearch])
    expect(read(other)).toEqual({});
});
