/** Says in one sentence why a process cannot start: names the setting at fault and contains no secret. */
export class StartError extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'StartError';
  }
}

/** The service behind a setting cannot be used: `what`, its address without the password, and the reason. */
export function unusable(what: string, setting: string, url: string, error: unknown): StartError {
  return new StartError(`${what} at ${withoutPassword(url)} (${setting}) cannot be used: ${reasonOf(error)}.`, error);
}

/** This process cannot listen on the address. */
export function unusablePort(
  what: string,
  setting: string,
  at: { host: string; port: number },
  error: unknown,
): StartError {
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return unusable(what, setting, `http://${host}:${at.port}`, error);
}

export function withoutPassword(url: string): string {
  return url
    .split(',')
    .map((one) => {
      if (!URL.canParse(one.trim())) return '(not a URL)';
      const shown = new URL(one.trim());
      shown.password = '';
      shown.search = '';
      return shown.toString();
    })
    .join(',');
}

/** A host with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: Error[] };
  return (message || errors?.[0]?.message || code || String(error)).replace(/\.$/, '');
}
