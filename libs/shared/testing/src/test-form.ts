/** `npm run test:release` repeats random tests more often than each change needs. */
const isLongForm = process.env['TEST_FORM'] === 'long';

/** How often a random test is repeated: in each run, and before a release. */
export const runsOf = (short: number, long: number): number => (isLongForm ? long : short);
