import type { Figure, Measured } from '../harness/bench.ts';

export const ratioOf = ({ rate, against }: Measured): number => rate / against.rate;

export const nameOf = ({ scenario, name }: Figure): string => (name === '' ? scenario : `${scenario}, ${name}`);

const isSame = (a: Figure, b: Figure): boolean => nameOf(a) === nameOf(b) && a.against.name === b.against.name;

/** The share of a ratio that may be lost between two runs: machines are shared, and ratios vary with them. */
const maxLoss = 0.15;

/** Figures whose ratio is more than 15 % below that of the figure with the same name and yardstick before. */
export function worseThan(before: readonly Figure[], now: readonly Figure[]): { figure: Figure; before: number }[] {
  return now.flatMap((figure) => {
    const same = before.find((one) => isSame(one, figure));
    if (!same || ratioOf(figure) >= ratioOf(same) * (1 - maxLoss)) return [];
    return [{ figure, before: ratioOf(same) }];
  });
}

/** Figures that were measured before and are not any more. */
export const missingFrom = (now: readonly Figure[], before: readonly Figure[]): Figure[] =>
  before.filter((figure) => !now.some((one) => isSame(one, figure)));

/** The figure, or the same one of a second run if its ratio is better. */
export function betterOf(figure: Figure, again: readonly Figure[]): Figure {
  const second = again.find((one) => isSame(one, figure));
  return second && ratioOf(second) > ratioOf(figure) ? second : figure;
}
