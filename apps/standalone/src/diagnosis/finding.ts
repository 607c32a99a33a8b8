/** The result of one check. `advice`: what to do. */
export type Finding = { check: string; level: 'ok' | 'warn' | 'fail'; message: string; advice: string | null };

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message, advice: null });
export const warn = (check: string, message: string, advice: string): Finding => ({
  check,
  level: 'warn',
  message,
  advice,
});
export const fail = (check: string, message: string, advice: string): Finding => ({
  check,
  level: 'fail',
  message,
  advice,
});

/** `problem` when there is one, else that all is well. */
export const unless = (problem: Finding | undefined | false, check: string, message: string): Finding =>
  problem || ok(check, message);

export const gigabytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`;
