/** `Headers`, or the headers of a Node request. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Repeated values are joined, as `Headers` does. `name` is in lower case. */
export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const texts = values.flatMap(([, value]) => value ?? []);
  return texts.length === 0 ? undefined : texts.join(', ');
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function';
