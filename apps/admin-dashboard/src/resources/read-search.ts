/** The text filters in an address; unknown ones are ignored, so that old links open. */
export function readTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts = names.map((name) => [name, search[name]] as const);
  const known = texts.filter(([, value]) => ['string', 'number'].includes(typeof value) && value !== '');
  return Object.fromEntries(known.map(([name, value]) => [name, String(value).slice(0, 200)])) as Partial<
    Record<Name, string>
  >;
}

export const oneOf = <T extends string>(all: readonly T[], value: string | undefined): T | undefined =>
  all.find((one) => one === value);

/** The value of a datetime-local field, in the zone of the viewer, of a time of the API, and back. */
export const toLocalTime = (timestamp: string | undefined): string => {
  const ms = Date.parse(timestamp ?? '');
  if (Number.isNaN(ms)) return '';
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
export const fromLocalTime = (text: string): string | undefined =>
  text === '' ? undefined : new Date(text).toISOString();
