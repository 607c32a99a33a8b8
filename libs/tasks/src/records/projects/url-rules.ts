import type { Repository } from '@eas/contracts';
import { AppError, type Violation } from '@eas/core';

export type RepositoryRules = {
  /** Whether this installation allows a repository at the URL, which is read already, as far as the URL itself shows. */
  vetUrl: (url: string) => { isAllowed: true } | { isAllowed: false; message: string };
};

/** Throws invalid_input naming each repository that is not allowed. */
export function assertAllowed(repositories: readonly Pick<Repository, 'url'>[], { vetUrl }: RepositoryRules): void {
  const violations = repositories.flatMap(({ url }, index): Violation[] => {
    const vetted = vetUrl(url);
    const field = `repositories.${index}.url`;
    return vetted.isAllowed ? [] : [{ field, constraint: 'format', message: vetted.message }];
  });
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
