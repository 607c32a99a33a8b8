import { z } from 'zod';
import { wholeNumberInput } from './fields.ts';

export const defaultPageSize = 20;
export const maxPageSize = 100;
/** Stored size of a page's items: larger pages are refused. */
export const maxPageBytes = 8_388_608;
/** Cursors carry up to 500 characters of a text that the list is sorted by. */
export const maxCursorLength = 4_500;
/** No list is as long. */
const maxCount = 999_999_999_999_999;

const afterDescription =
  `Asks for cursor paging: empty for the first page, then the \`next_cursor\` of the page before, with
the same \`sort\`. A cursor keeps its position when items are added, changed or removed. An item id also works; it stands for
the position that the item has at that moment. Do not poll a list for new items by id or time: an item that is committed
late can appear before one that was read. \`GET /v1/events\` and the timelines (by \`seq\`) are safe to poll.`.replaceAll(
    '\n',
    ' ',
  );
const sortDescription =
  `Field to sort by; a leading - sorts in descending order. A field with a fixed list of values sorts
in the order of that list, text by its first 500 characters, null last.`.replaceAll('\n', ' ');

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
        description: `Items of a page. A page of more than ${maxPageBytes / 1_024 ** 2} MiB is refused: ask for fewer items.`,
      }),
    offset: wholeNumberInput(0, maxCount)
      .optional()
      .meta({ default: 0, description: 'Items to leave out at the start.' }),
    after: z.string().max(maxCursorLength).optional().meta({ description: afterDescription }),
    sort: z.enum(sortNames).optional().meta({ description: sortDescription }),
  };
  return z.object({ ...shape, ...optional(filters ?? ({} as S)) }).refine(
    (query) => {
      const { after, offset } = query as { after?: string; offset?: number };
      return after === undefined || offset === undefined;
    },
    { path: ['after'], params: { constraint: 'format' }, message: 'after and offset exclude each other' },
  );
}

function optional<S extends z.ZodRawShape>(shape: S) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]);
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<S[K]> };
}

/** How a list is to be paged. With `after` (empty: the first page) the answer has `pagination`, else `metadata`. */
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

export const offsetMetadata = z.object({
  total: z.int().min(0).max(maxCount),
  limit: z.int().min(1).max(maxPageSize),
  offset: z.int().min(0).max(maxCount),
});

export const cursorPagination = z.object({
  total_count: z.int().min(0).max(maxCount),
  limit: z.int().min(1).max(maxPageSize),
  has_more: z.boolean(),
  next_cursor: z.string().max(maxCursorLength).nullable().meta({ description: 'Opaque; null on the last page.' }),
});

/** Schema of a list answer in either style. */
export const listResponse = <T extends z.ZodType>(item: T) => {
  const data = z.array(item).max(maxPageSize);
  return z.union([z.object({ data, metadata: offsetMetadata }), z.object({ data, pagination: cursorPagination })]);
};

/** One page as a read model gives it; `nextCursor` asks for the next one, null on the last page. */
export type PageOfItems<T> = { items: T[]; total: number; nextCursor: string | null };

/** The list answer in the style that the query asked for. */
export function listAnswer<T>({ limit, offset, after }: Page, { items, total, nextCursor }: PageOfItems<T>) {
  if (after === undefined) return { data: items, metadata: { total, limit, offset } };
  const pagination = { total_count: total, limit, has_more: nextCursor !== null, next_cursor: nextCursor };
  return { data: items, pagination };
}
