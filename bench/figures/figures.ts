import type { Figure } from '../harness/bench.ts';

export const ratioOf = ({ rate, against }: Figure): number => rate / against.rate;

/** So much of a ratio may be lost between two runs: machines are shared, and ratios vary with them. */
const maxLoss = 0.15;

/** Figures whose ratio is more than 15 % below that of the figure with the same name and yardstick before. */
export function worseThan(before: readonly Figure[], now: readonly Figure[]): { figure: Figure; before: number }[] {
  return now.flatMap((figure) => {
    const same = before.find(({ name, against }) => name === figure.name && against.name === figure.against.name);
    if (!same || ratioOf(figure) >= ratioOf(same) * (1 - maxLoss)) return [];
    return [{ figure, before: ratioOf(same) }];
  });
}
