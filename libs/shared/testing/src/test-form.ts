/** `npm run test:release` repeats random tests more often than each change needs. */
const isLongForm = process.env['TEST_FORM'] === 'long';

/** How often a random test is repeated: in each run, and before a release. */
export const runsOf = (short: number, long: number): number => (isLongForm ? long : short);

let turn = 0;

/** All of them before a release; otherwise a different sample each time, for cases that run the same code. */
export function someOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isLongForm) return all;
  turn += count;
  return all.filter((_, index) => (index + turn) % all.length < count);
}
