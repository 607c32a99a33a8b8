import type { UseCaseContext } from '@eas/db';

/** A shorter secret can be guessed: taken, with a warning. */
const safeLength = 16;

/** Seals the secrets of one integration, each for its column; null stays null. A short signing secret leaves a warning. */
export function sealerOf({ secrets, tenantId, logger }: UseCaseContext, integrationId: string) {
  return (column: 'secret' | 'previous_secret' | 'token', plain: string | null): string | null => {
    if (plain === null) return null;
    if (column === 'secret' && plain.length < safeLength) logger.warn({ integrationId }, 'integration secret is short');
    return secrets.seal(plain, { tenantId, table: 'integrations', column, rowId: integrationId });
  };
}

/** The signing secret of an integration in the clear. Throws when its key is missing. */
export function openSecret(
  { secrets, tenantId }: Pick<UseCaseContext, 'secrets' | 'tenantId'>,
  integrationId: string,
  sealed: string,
): string {
  return secrets.open(sealed, { tenantId, table: 'integrations', column: 'secret', rowId: integrationId });
}
