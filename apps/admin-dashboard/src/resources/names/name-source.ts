import { type QueryKey, useMutation, useQuery, type UseQueryOptions, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asProblem } from '../../api/problem.ts';
import type { Listed } from '../../api/read-on.ts';
import { type Scope, useMay } from '../../api/session.ts';

/** What is chosen by its name. */
export type NameSource<Row extends { id: string }> = {
  one: string;
  many: string;
  scope: Scope;
  list: UseQueryOptions<Listed<Row>, Error, Listed<Row>, string[]> & { queryKey: QueryKey };
  /** How it is found when it is not listed. */
  by: string;
  find: (text: string) => Promise<readonly Row[]>;
  labelOf: (row: Row) => string;
};

const foundKey = <Row extends { id: string }>({ list }: NameSource<Row>, id: string) => [...list.queryKey, id];

type Labels = Readonly<Record<string, string>>;

export type Choices = {
  /** By ID, including the chosen row even if it is not listed. */
  labels: Labels;
  listed: number;
  isAll: boolean;
};

/** `others`: choices that are not rows of the source. */
export function useChoices<Row extends { id: string }>(
  source: NameSource<Row>,
  chosen: string,
  others: Labels = {},
): Choices {
  const { data } = useQuery({ ...source.list, enabled: useMay(source.scope) });
  const listed = data?.data ?? [];
  const isUnlisted = chosen !== '' && !Object.hasOwn(others, chosen) && !listed.some(({ id }) => id === chosen);
  const { data: found = [] } = useQuery({
    queryKey: foundKey(source, chosen),
    queryFn: () => source.find(chosen),
    enabled: isUnlisted && data?.isAll === false,
  });
  const rows = [...found.filter(({ id }) => id === chosen), ...listed];
  const labels = Object.fromEntries(rows.map((row) => [row.id, source.labelOf(row)]));
  return {
    labels: { ...(isUnlisted && { [chosen]: chosen }), ...labels, ...others },
    listed: listed.length,
    isAll: data?.isAll ?? true,
  };
}

/** Searches unlisted rows: `sentence` is why nothing was found; `text` was typed and not found yet. */
export function useFind<Row extends { id: string }>(source: NameSource<Row>, onFound: (id: string) => void) {
  const client = useQueryClient();
  const [text, setText] = useState('');
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: source.find,
    onSuccess: ([row, ...others]) => {
      if (!row || others.length > 0) return;
      client.setQueryData(foundKey(source, row.id), [row]);
      setText('');
      onFound(row.id);
    },
  });
  const type = (typed: string) => {
    reset();
    setText(typed);
  };
  const find = () => {
    if (text.trim() !== '' && !isPending && !data) mutate(text.trim());
  };
  const several = `Several ${source.many} have this name. Type the ID of one.`;
  const refusal = data && data.length !== 1 && (data.length > 1 ? several : `No ${source.one} has this ${source.by}.`);
  return { text, type, find, sentence: error ? asProblem(error).message : refusal || undefined };
}
