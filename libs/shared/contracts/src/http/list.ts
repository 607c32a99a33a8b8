import { z } from 'zod';
import { wholeNumberInput } from '../fields.ts';

const defaultPageSize = 20;
export const maxPageSize = 100;
/** Stored size of a page's items: larger pages are refused. */
export const maxPageBytes = 8_388_608;
/** Cursors carry up to 500 characters of a text that the list is sorted by. */
export const maxCursorLength = 4_500;
/** Longer than any list. */
const maxCount = 999_999_999_999_999;
/** Skipped items are read too: clients use a cursor beyond this. */
const maxOffset = 10_000;
/** Matches of filters are counted up to this number, since counting reads all of them. */
export const maxCounted = 10_000;

const afterDescription = [
  'Switches to cursor paging. Send it empty for the first page, then send the `next_cursor` of the previous page with the same `sort`.',
  'A cursor keeps its position when items are added, changed or removed. You can also send an item id: it stands for the current position of that item.',
  'Do not poll a list for new items by id or time: an item that is committed late can appear before items that you have already read. `GET /v1/events` and the timelines (by `seq`) are safe to poll.',
].join(' ');
const sortDescription = 'Field to sort by. A leading `-` sorts in descending order.';

type SortName<F extends string> = F | `-${F}`;

/**
 * The query of a list: paging, sorting by one of `sortable`, and the given filters. Filters read text:
 * `z.string().max(64)` for open lists and ids, `z.enum([…])` for closed ones. All of them are optional.
 */
export function listQuery<const F extends string, const S extends z.ZodRawShape = Record<never, never>>({
  sortable,
  filters,
}: {
  sortable: readonly [F, ...F[]];
  filters?: S;
}) {
  const sortNames = sortable.flatMap((field): SortName<F>[] => [field, `-${field}`]) as [SortName<F>];
  const shape = {
    limit: wholeNumberInput(1, maxPageSize)
      .optional()
      .meta({
        default: defaultPageSize,
        description: `Maximum number of items in the page. A page of more than ${maxPageBytes / 1_024 ** 2} MiB is refused: request fewer items.`,
      }),
    offset: wholeNumberInput(0, maxOffset, 'Use `after` to go further')
      .optional()
      .meta({ default: 0, description: 'Number of items to skip. To go further use `after`.' }),
    after: z.string().max(maxCursorLength).optional().meta({ description: afterDescription }),
    sort: z.enum(sortNames).optional().meta({ description: sortDescription }),
  };
  return z.object({ ...shape, ...optional(filters ?? ({} as S)) }).refine(
    (query) => {
      const { after, offset } = query as { after?: string; offset?: number };
      // Generated clients send every default.
      return after === undefined || !offset;
    },
    { path: ['after'], params: { constraint: 'format' }, message: 'must not be combined with an offset other than 0' },
  );
}

function optional<S extends z.ZodRawShape>(shape: S) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<S[K]> };
}

/** The paging of a list. With `after` (empty: the first page) the response has `pagination`, else `metadata`. */
export type Page<F extends string = string> = {
  limit: number;
  offset: number;
  after: string | undefined;
  sort: { field: F; isDescending: boolean };
};

/** Reads the paging part of a parsed list query. Without `sort`: newest first. */
export function pageOf<F extends string>(query: {
  limit?: number | undefined;
  offset?: number | undefined;
  after?: string | undefined;
  sort?: SortName<F> | undefined;
}): Page<F | 'created_at'> {
  const { limit = defaultPageSize, offset = 0, after, sort = '-created_at' } = query;
  const isDescending = sort.startsWith('-');
  const field = (isDescending ? sort.slice(1) : sort) as F | 'created_at';
  return { limit, offset, after, sort: { field, isDescending } };
}

const limit = z.int().min(1).max(maxPageSize).describe('Maximum number of items in the page.');
const total = z
  .int()
  .min(0)
  .max(maxCount)
  .describe('Number of items that match the filters. With `total_relation` there are more.');
const totalRelation = z
  .enum(['gte'])
  .optional()
  .describe(
    `Only where counting ended at ${maxCounted}: at least \`total\` items match ("greater than or equal"). Absent: exactly as many.`,
  );

const offsetMetadata = z
  .object({
    total,
    total_relation: totalRelation,
    limit,
    offset: z.int().min(0).max(maxOffset).describe('Number of items that were skipped.'),
  })
  .meta({ id: 'OffsetMetadata', description: 'Position of a page in the offset style.' });

const cursorPagination = z
  .object({
    total_count: total,
    total_relation: totalRelation,
    limit,
    has_more: z.boolean().describe('Whether there is a further page.'),
    next_cursor: z
      .string()
      .max(maxCursorLength)
      .nullable()
      .describe('Opaque. Send it as `after` to get the next page; null on the last page.'),
  })
  .meta({ id: 'CursorPagination', description: 'Position of a page in the cursor style.' });

/** Schema of a list response in either style, named after its item: Task → TaskPage, TaskOffsetPage, TaskCursorPage. */
export function listResponse<T extends z.ZodType>(item: T) {
  const { id = '', example } = z.globalRegistry.get(item) ?? {};
  const data = z.array(item).max(maxPageSize).describe('The items of the page.');
  const named = (style: string, description: string) => ({ id: `${id}${style}Page`, description });
  const offsetPage = z.object({ data, metadata: offsetMetadata });
  const cursorPage = z.object({ data, pagination: cursorPagination });
  return z
    .union([
      offsetPage.meta(named('Offset', 'A page in the offset style.')),
      cursorPage.meta(named('Cursor', 'A page in the cursor style: the request had `after`.')),
    ])
    .meta({
      ...named('', 'A page of a list, in the style that the request asked for.'),
      example: { data: [example], metadata: { total: 1, limit: defaultPageSize, offset: 0 } },
    });
}

/** Schema of a list response without a position, named after its item: Workflow → WorkflowList. */
export function listOf<T extends z.ZodType>(item: T) {
  const { id = '', example } = z.globalRegistry.get(item) ?? {};
  return z.object({ data: z.array(item).max(maxPageSize).describe('The items of the page.') }).meta({
    id: `${id}List`,
    description: 'A page of a list.',
    example: { data: [example] },
  });
}

/**
 * One page of a read model; `nextCursor` leads to the next one, null on the last page. `isTotalCut`: counting ended at
 * `total`, and more match.
 */
export type PageOfItems<T> = { items: T[]; total: number; isTotalCut: boolean; nextCursor: string | null };

export function listBody<T>({ limit, offset, after }: Page, { items, total, isTotalCut, nextCursor }: PageOfItems<T>) {
  const relation = isTotalCut ? { total_relation: 'gte' as const } : {};
  if (after === undefined) return { data: items, metadata: { total, ...relation, limit, offset } };
  const position = { has_more: nextCursor !== null, next_cursor: nextCursor };
  return { data: items, pagination: { total_count: total, ...relation, limit, ...position } };
}
