import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { listBody, listQuery, pageOf } from './list.ts';

const query = listQuery({ sortable: ['created_at', 'title'], filters: { status: z.string().max(10) } });
const issuesOf = (values: Record<string, string>) =>
  query.safeParse(values).error?.issues.map(({ path }) => path.join('.'));

describe('listQuery', () => {
  it('returns the first 20, newest first, by default', () => {
    const sort = { field: 'created_at', isDescending: true };
    expect(pageOf(query.parse({}))).toEqual({ limit: 20, offset: 0, after: undefined, sort });
  });

  it('reads numbers, filters and a falling sort', () => {
    const parsed = query.parse({ limit: '100', offset: '7', sort: '-title', status: 'open' });
    expect(parsed.status).toBe('open');
    expect(pageOf(parsed)).toMatchObject({ limit: 100, offset: 7, sort: { field: 'title', isDescending: true } });
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '0x10', '', ' 5', 'ten', '99999999999999999999'])(
    'refuses limit=%s',
    (limit) => {
      const issue = query.safeParse({ limit }).error?.issues[0];
      expect(issue?.path).toEqual(['limit']);
      expect(issue?.message).toBe('must be an integer from 1 to 100');
    },
  );

  it('refuses to skip more than 10,000 items, and names the alternative', () => {
    expect(query.parse({ offset: '10000' })).toMatchObject({ offset: 10_000 });
    const [issue] = query.safeParse({ offset: '10001' }).error?.issues ?? [];
    expect(issue?.path).toEqual(['offset']);
    expect(issue?.message).toBe('must be an integer from 0 to 10000. Use `after` to go further');
  });

  it('refuses a negative offset, an unknown sort, and after with offset', () => {
    expect(issuesOf({ offset: '-1' })).toEqual(['offset']);
    expect(issuesOf({ sort: 'nothing' })).toEqual(['sort']);
    expect(issuesOf({ after: '', offset: '1' })).toEqual(['after']);
    expect(query.parse({ after: '', offset: '0' })).toMatchObject({ after: '', offset: 0 });
  });
});

describe('listBody', () => {
  const items = [{ id: 'a' }, { id: 'b' }];
  it('responds in the requested style', () => {
    expect(listBody(pageOf(query.parse({})), { items, total: 9, isTotalCut: false, nextCursor: 'c' })).toEqual({
      data: items,
      metadata: { total: 9, limit: 20, offset: 0 },
    });
    expect(
      listBody(pageOf(query.parse({ after: '' })), { items, total: 9, isTotalCut: false, nextCursor: 'c' }),
    ).toEqual({
      data: items,
      pagination: { total_count: 9, limit: 20, has_more: true, next_cursor: 'c' },
    });
  });

  it('reports that more match than were counted', () => {
    const page = { items, total: 10_000, isTotalCut: true, nextCursor: 'c' };
    expect(listBody(pageOf(query.parse({})), page)).toMatchObject({
      metadata: { total: 10_000, total_relation: 'gte' },
    });
    expect(listBody(pageOf(query.parse({ after: '' })), page)).toMatchObject({
      pagination: { total_count: 10_000, total_relation: 'gte' },
    });
  });

  it('has no next cursor on the last page', () => {
    const response = listBody(pageOf(query.parse({ after: 'a' })), {
      items,
      total: 2,
      isTotalCut: false,
      nextCursor: null,
    });
    expect(response).toMatchObject({ pagination: { has_more: false, next_cursor: null } });
  });
});
