import { AppError } from '@eas/core';

/** Whether messages may go to the URL, as far as the URL itself shows. */
export type VetUrl = (url: string) => { isAllowed: true } | { isAllowed: false; message: string };

/** Throws invalid_input. Without a URL or a rule there is nothing to check. */
export function assertWebhookUrl(url: string | null | undefined, vetUrl: VetUrl | undefined): void {
  const vetted = typeof url === 'string' ? vetUrl?.(url) : undefined;
  if (vetted?.isAllowed !== false) return;
  const violation = { field: 'webhook_url', constraint: 'format', message: vetted.message } as const;
  throw new AppError('invalid_input', { violations: [violation] });
}
