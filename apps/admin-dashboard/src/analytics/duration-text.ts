const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;
/** A unit is used from this number on: 90 min rather than 1.5 h. */
const fromNumber = 2;
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** "40 s", "90 min", "3.5 h", "12 d"; "–" for null. */
export function durationText(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  const [unit, length] = units.find(([, one]) => seconds >= fromNumber * one) ?? ['s', 1];
  return `${number.format(seconds / length)} ${unit}`;
}
