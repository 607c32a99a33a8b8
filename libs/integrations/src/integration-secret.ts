import type { SealedTable, UseCaseContext } from '@eas/db';

/** A shorter secret can be guessed: taken, with a warning. */
const safeLength = 16;

type SecretColumn = 'secret' | 'previous_secret' | 'token' | 'signing_secret';

/** What is sealed for one opens in its own column and row only. */
export const secretCell = (tenantId: string, integrationId: string, column: SecretColumn) => ({
  tenantId,
  table: 'integrations',
  column,
  rowId: integrationId,
});

/** What `reseal` seals again. */
export const sealedIntegrations: SealedTable<SecretColumn> = {
  table: 'integrations',
  ids: ['id'],
  columns: ['secret', 'previous_secret', 'token', 'signing_secret'],
  cellOf: (tenantId, [id = ''], column) => secretCell(tenantId, id, column),
};

/** Seals the secrets of one integration, each for its column; null stays null. A short signing secret leaves a warning. */
export function sealerOf({ secrets, tenantId, logger }: UseCaseContext, integrationId: string) {
  return (column: SecretColumn, plain: string | null): string | null => {
    if (plain === null) return null;
    if (column === 'secret' && plain.length < safeLength) logger.warn({ integrationId }, 'integration secret is short');
    return secrets.seal(plain, secretCell(tenantId, integrationId, column));
  };
}

/** A secret of an integration in the clear: the one that it is called by unless said. Throws when its key is missing. */
export function openSecret(
  { secrets, tenantId }: Pick<UseCaseContext, 'secrets' | 'tenantId'>,
  integrationId: string,
  sealed: string,
  column: SecretColumn = 'secret',
): string {
  return secrets.open(sealed, secretCell(tenantId, integrationId, column));
}
