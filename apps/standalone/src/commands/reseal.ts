import { sealedClients } from '@eas/access';
import { countSealed, forgetCanaries, reseal, type Resealed, type SealedTable, type UseCaseContext } from '@eas/db';
import { sealedResponses } from '@eas/http';
import { sealedChatMessages } from '@eas/chat';
import { sealedIntegrations } from '@eas/integrations';
import { sealedEndpoints } from '@eas/webhooks';
import { say } from '../terminal.ts';
import { defineCommand, jsonOption } from './command.ts';
import { inSystem } from './in-system.ts';

/** Everything that is sealed in the database; a test compares it with the code. */
export const sealedTables: readonly SealedTable[] = [
  sealedClients,
  sealedEndpoints,
  sealedIntegrations,
  sealedChatMessages,
  sealedResponses,
];

const options = {
  check: { type: 'boolean', about: 'changes nothing; fails while an older key is still needed' },
  json: jsonOption,
} as const;

export const resealCommand = defineCommand({
  usage: '[--check] [--json]',
  about:
    'encrypts again, with the first key of ENCRYPTION_KEY, what older keys encrypted; run it until it says that the older keys can be removed',
  options,
  async run({ values }, config) {
    return inSystem(config, async (contextOf) => {
      const ctx = contextOf();
      const done = values.check ? [] : await resealAll(ctx);
      const left = await countLeft(ctx);
      const unreadable = done.reduce((sum, one) => sum + one.unreadable, 0);
      const forgotten = values.check || left.length > 0 ? [] : await forgetCanaries(ctx.db, ctx.secrets.keyId);
      if (values.json) say(JSON.stringify({ key_id: ctx.secrets.keyId, tables: done, left, forgotten }, null, 2));
      else {
        done.forEach(({ table, resealed }) => say(`${table}: ${resealed} encrypted again`));
        left.forEach(({ table, keyId, count }) => say(`${table}: ${count} values are encrypted with key ${keyId}`));
        say(verdict(ctx.secrets.keyId, left.length, unreadable));
      }
      return left.length === 0 ? 0 : 1;
    });
  },
});

async function resealAll(ctx: UseCaseContext): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const table of sealedTables) done.push(await reseal(ctx, table));
  return done;
}

async function countLeft({ db, secrets }: UseCaseContext) {
  const left: { table: string; keyId: string; count: number }[] = [];
  for (const sealed of sealedTables) {
    const counts = await countSealed(db, sealed, secrets.keyId);
    left.push(...counts.map((count) => ({ table: sealed.table, ...count })));
  }
  return left;
}

function verdict(keyId: string, left: number, unreadable: number): string {
  if (left === 0) return `everything is encrypted with key ${keyId}: older keys can be removed from ENCRYPTION_KEY`;
  if (unreadable > 0)
    return `${unreadable} values cannot be decrypted: add the missing keys to ENCRYPTION_KEY, or set these secrets again`;
  return 'older keys are still needed: run reseal, after every process was restarted with the new key in front';
}
