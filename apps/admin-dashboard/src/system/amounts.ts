const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes, with up to three digits: `512 B`, `1.21 KiB`, `34.5 MiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1_024 ** power;
  const maximumFractionDigits = amount < 10 ? 2 : amount < 100 ? 1 : 0;
  return `${amount.toLocaleString('en', { maximumFractionDigits })} ${units[power]}`;
}

/** A time that something took, in seconds. */
export const secondsText = (ms: number): string =>
  `${(ms / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`;

export const percentText = (share: number): string =>
  share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 0 });

export const usdText = (usd: number): string =>
  usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
