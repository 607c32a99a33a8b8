import type { DayRollup } from '../facts/recount.read-model.ts';
import { addRollups, type Rollup, rollupFields } from '../facts/rollup.ts';

/** What is stored for a day and role, and what was counted, by field. */
export type RollupDifference = {
  day: string;
  role: string;
  fields: Partial<Record<keyof Rollup, { stored: number; counted: number }>>;
};

type DayAndRole = Pick<DayRollup, 'day' | 'role'>;
const keyOf = ({ day, role }: DayAndRole): string => `${day} ${role}`;

/** One for each day and role. */
export function addByDay(rollups: readonly DayRollup[]): DayRollup[] {
  const groups = Map.groupBy(rollups, keyOf);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? { ...addRollups([first, ...others]), day: first.day, role: first.role } : [],
  );
}

/** Where the two differ, each with one row at most for a day and role. A row that is not there is one of zeros. */
export function compareRollups(stored: readonly DayRollup[], counted: readonly DayRollup[]): RollupDifference[] {
  const storedByKey = new Map(stored.map((rollup) => [keyOf(rollup), rollup]));
  const countedByKey = new Map(counted.map((rollup) => [keyOf(rollup), rollup]));
  const keys: DayAndRole[] = [...counted, ...stored.filter((rollup) => !countedByKey.has(keyOf(rollup)))];
  return keys.flatMap(({ day, role }) => {
    const [one, other] = [storedByKey, countedByKey].map((of) => of.get(keyOf({ day, role })));
    const wrong = rollupFields
      .map((field) => [field, { stored: one?.[field] ?? 0, counted: other?.[field] ?? 0 }] as const)
      .filter(([, values]) => values.stored !== values.counted);
    return wrong.length === 0 ? [] : { day, role, fields: Object.fromEntries(wrong) };
  });
}
