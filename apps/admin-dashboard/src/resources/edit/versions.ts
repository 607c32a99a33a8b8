/** Texts by the names of fields. */
export type Texts = Readonly<Record<string, string>>;

/** The values of the fields in `labels`; for checkboxes, the values of those that are checked. */
export const typedTexts = (form: FormData, labels: Texts): Texts =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, form.getAll(name).map(String).join(', ')]));

export type Field = { name: string; label: string };

/** The fields in which two versions differ. */
export const differingFields = (labels: Texts, theirs: Texts, typed: Texts): Field[] =>
  Object.entries(labels)
    .filter(([name]) => (theirs[name] ?? '').trim() !== (typed[name] ?? '').trim())
    .map(([name, label]) => ({ name, label }));

const isText = (value: unknown): value is string => typeof value === 'string';

/** The sentence about a field, or about a part of it: `events[0]`, `labels.bug`. */
export const errorOf = (errors: Texts, name: string): string | undefined =>
  [errors[name], ...Object.keys(errors).map((field) => isPartOf(field, name) && errors[field])].find(isText);

const isPartOf = (field: string, name: string): boolean =>
  field.startsWith(name) && /^[.[]/.test(field.slice(name.length));
