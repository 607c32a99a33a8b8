import { eventually, useTestDatabase } from '@eas/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contextInTransaction } from '../context.ts';
import type { Channel } from '../connection/notify.ts';
import { append } from './outbox.ts';
import { inSavepoint } from './savepoint.ts';
import { sendWrite, type Tx } from './tx.ts';

const test = useTestDatabase();
const scope = { tenantId: '' };
beforeAll(() => test.database.db.query('CREATE TABLE notes (text text PRIMARY KEY)'));
beforeEach(async () => {
  scope.tenantId = await test.createTenant();
  await test.database.db.query('TRUNCATE notes');
});

const receive = (tx: Tx, id = 'inb_1') =>
  append(tx, { type: 'inbound.received', at: new Date(), data: { inbound_event_id: id }, facts: null });
const insertNote = (tx: Pick<Tx, 'db'>, text: string) => tx.db.query('INSERT INTO notes VALUES ($1)', [text]);
const send = (tx: Tx, text: string) => sendWrite(tx, 'INSERT INTO notes VALUES ($1)', [text]);
const notes = async () =>
  (await test.database.db.query<{ text: string }>('SELECT text FROM notes ORDER BY text')).map(({ text }) => text);
const written = async () => {
  const [row] = await test.database.db.query<{ events: number; pending: number }>(
    `SELECT (SELECT count(*) FROM events WHERE tenant_id = $1) AS events,
            (SELECT count(*) FROM outbox WHERE tenant_id = $1) AS pending`,
    [scope.tenantId],
  );
  return row;
};
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => test.database.inTransaction(scope.tenantId, work);

/** Wake-ups that listeners receive while `work` runs, up to a last one that is sent afterwards. */
async function wakesDuring(channel: Channel, work: () => Promise<unknown>): Promise<string[]> {
  const received: string[] = [];
  const { listener, notify } = test.database;
  await new Promise<void>((resolve) => {
    const off = listener.on(channel, (key) => void (key === 'ready' && (off(), resolve())));
    const knock = () => void (received.length === 0 && notify(channel, 'ready'));
    knock();
    setTimeout(knock, 200).unref();
  });
  await new Promise<void>((resolve, reject) => {
    const off = listener.on(channel, (key) => {
      if (key !== 'ready' && key !== 'last') received.push(key);
      if (key !== 'last') return;
      off();
      resolve();
    });
    // Sent after the others: keys that are sent together with "check everything" are not listed.
    work().then(() => setTimeout(() => notify(channel, 'last'), 50), reject);
  });
  return received;
}

describe('a transaction', () => {
  it('commits rows, events and their outbox rows together', async () => {
    const eventId = await inTransaction(async (tx) => {
      await insertNote(tx, 'kept');
      return receive(tx);
    });
    expect(await notes()).toEqual(['kept']);
    const rows = await test.database.db.query(
      `SELECT e.event_type, e.data, o.consumer, o.sent_at FROM events e JOIN outbox o USING (tenant_id, event_id)
       WHERE tenant_id = $1 AND event_id = $2`,
      [scope.tenantId, eventId],
    );
    const data = { inbound_event_id: 'inb_1' };
    expect(rows).toEqual([{ event_type: 'inbound.received', data, consumer: 'inbound.apply', sent_at: null }]);
  });

  it('adds an outbox row for each consumer of the routing', async () => {
    await inTransaction(async (tx) => {
      const pullRequest = {
        repository: 'a/b',
        number: 1,
        title: 't',
        url: 'u',
        author: 'a',
        branch: 'b',
        task_id: null,
      };
      append(tx, { type: 'pr.opened', at: new Date(), data: pullRequest, facts: null });
      receive(tx);
    });
    expect(await written()).toEqual({ events: 2, pending: 2 });
  });

  it('is not visible to others before it commits', async () => {
    await inTransaction(async (tx) => {
      await insertNote(tx, 'hidden');
      expect(await notes()).toEqual([]);
    });
    expect(await notes()).toEqual(['hidden']);
  });

  it('wakes listeners after it has committed', async () => {
    const received = await wakesDuring('outbox', () => inTransaction(async (tx) => receive(tx)));
    expect(received).toEqual(['']);
    expect(await written()).toEqual({ events: 1, pending: 1 });
  });

  it('writes nothing and notifies no listener when its work throws', async () => {
    const failing = () =>
      inTransaction(async (tx) => {
        await insertNote(tx, 'lost');
        receive(tx);
        tx.notify('outbox', 'lost');
        throw new Error('no');
      }).catch(() => {});
    expect(await wakesDuring('outbox', failing)).toEqual([]);
    expect(await notes()).toEqual([]);
    expect(await written()).toEqual({ events: 0, pending: 0 });
  });

  it('does not claim to have committed when a statement in it failed and no error was thrown', async () => {
    const swallowing = inTransaction(async (tx) => {
      await insertNote(tx, 'lost');
      await tx.db.query('SELECT 1 / 0').catch(() => {});
    });
    await expect(swallowing).rejects.toThrow(/rolled back/);
    expect(await notes()).toEqual([]);
  });

  it('refuses an event that does not match its catalogue entry, before any of it is written', async () => {
    const misfit = inTransaction(async (tx) => {
      await insertNote(tx, 'lost');
      append(tx, { type: 'inbound.received', at: new Date(), data: {} as never, facts: null });
    });
    await expect(misfit).rejects.toThrow();
    expect(await notes()).toEqual([]);
  });

  it('works the same for Prisma and for SQL', async () => {
    const { tenantId } = scope;
    const failing = inTransaction(async ({ db }) => {
      await db.prisma.tenant.update({ where: { id: tenantId }, data: { name: 'changed' } });
      const rows = await db.query('SELECT name FROM tenants WHERE id = $1', [tenantId]);
      expect(rows).toEqual([{ name: 'changed' }]);
      await db.query("UPDATE tenants SET name = 'changed again' WHERE id = $1", [tenantId]);
      expect(await db.prisma.tenant.findFirst({ where: { id: tenantId } })).toMatchObject({ name: 'changed again' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const outside = await test.database.db.prisma.tenant.findFirst({ where: { id: tenantId } });
    expect(outside?.name).toBe(tenantId);
  });
});

describe('transactions that wait for each other', () => {
  it('all commit once, with the events of the try that committed', async () => {
    await Promise.all(['a', 'b'].map((text) => insertNote(test.database, text)));
    let tries = 0;
    let begun = 0;
    const change = async (first: string, second: string) =>
      inTransaction(async (tx) => {
        tries += 1;
        receive(tx);
        await tx.db.query("UPDATE notes SET text = text || '!' WHERE text LIKE $1", [`${first}%`]);
        begun += 1;
        await eventually(() => begun >= 2);
        await tx.db.query("UPDATE notes SET text = text || '!' WHERE text LIKE $1", [`${second}%`]);
      });
    await Promise.all([change('a', 'b'), change('b', 'a')]);
    // More than three if the retried one conflicted with the other once more.
    expect(tries).toBeGreaterThanOrEqual(3);
    expect(await notes()).toEqual(['a!!', 'b!!']);
    expect(await written()).toEqual({ events: 2, pending: 2 });
  });

  it('are not retried after any other error', async () => {
    let tries = 0;
    const failing = inTransaction(async (tx) => {
      tries += 1;
      await tx.db.query('SELECT 1 / 0');
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(tries).toBe(1);
  });
});

describe('a write that is not awaited', () => {
  it('is seen by what comes after it, and commits with it', async () => {
    await inTransaction(async (tx) => {
      send(tx, 'sent');
      expect(await tx.db.query('SELECT text FROM notes')).toEqual([{ text: 'sent' }]);
      send(tx, 'sent last');
    });
    expect(await notes()).toEqual(['sent', 'sent last']);
  });

  it.each([
    ['waits for nothing else', () => Promise.resolve()],
    ['waits for a statement behind it', (tx: Tx) => insertNote(tx, 'behind')],
    ['throws', () => Promise.reject(new Error('later'))],
  ])('fails the transaction with its own error when the work %s', async (_, rest: (tx: Tx) => Promise<unknown>) => {
    await insertNote(test.database, 'there');
    const failing = inTransaction(async (tx) => {
      await insertNote(tx, 'lost');
      send(tx, 'there');
      await rest(tx);
    });
    await expect(failing).rejects.toThrow('duplicate key');
    expect(await notes()).toEqual(['there']);
  });

  it('retries the transaction after a deadlock', async () => {
    await Promise.all(['a', 'b'].map((text) => insertNote(test.database, text)));
    let begun = 0;
    const change = async (first: string, second: string) =>
      inTransaction(async (tx) => {
        await tx.db.query("UPDATE notes SET text = text || '!' WHERE text LIKE $1", [`${first}%`]);
        begun += 1;
        await eventually(() => begun >= 2);
        sendWrite(tx, "UPDATE notes SET text = text || '!' WHERE text LIKE $1", [`${second}%`]);
        await tx.db.query('SELECT 1');
      });
    await Promise.all([change('a', 'b'), change('b', 'a')]);
    expect(await notes()).toEqual(['a!!', 'b!!']);
  });

  it('is undone with its savepoint, which fails with its error', async () => {
    await inTransaction(async (tx) => {
      await insertNote(tx, 'kept');
      const inner = inSavepoint(tx, async (own) => {
        send(own, 'lost');
        send(own, 'kept');
      });
      await expect(inner).rejects.toThrow('duplicate key');
      await insertNote(tx, 'kept too');
    });
    expect(await notes()).toEqual(['kept', 'kept too']);
  });
});

describe('a savepoint', () => {
  it('rolls back its rows and events when it fails, and the transaction continues', async () => {
    await inTransaction(async (tx) => {
      receive(tx, 'inb_before');
      await inSavepoint(tx, async (inner) => {
        await insertNote(inner, 'lost');
        receive(inner, 'inb_lost');
        throw new Error('no');
      }).catch(() => {});
      await insertNote(tx, 'kept');
      receive(tx, 'inb_after');
    });
    expect(await notes()).toEqual(['kept']);
    const rows = await test.database.db.query<{ id: string }>(
      `SELECT data ->> 'inbound_event_id' AS id FROM events WHERE tenant_id = $1 ORDER BY event_id`,
      [scope.tenantId],
    );
    expect(rows.map(({ id }) => id)).toEqual(['inb_before', 'inb_after']);
  });

  it('also rolls back what remained of an inner one that failed before', async () => {
    await inTransaction(async (tx) => {
      await inSavepoint(tx, async (outer) => {
        await insertNote(outer, 'written before the inner one');
        await inSavepoint(outer, () => Promise.reject(new Error('inner'))).catch(() => {});
        throw new Error('outer');
      }).catch(() => {});
      await insertNote(tx, 'kept');
    });
    expect(await notes()).toEqual(['kept']);
  });

  it('recovers from a statement that failed', async () => {
    await inTransaction(async (tx) => {
      await insertNote(tx, 'first');
      await inSavepoint(tx, (inner) => insertNote(inner, 'first')).catch(() => {});
      await insertNote(tx, 'second');
    });
    expect(await notes()).toEqual(['first', 'second']);
  });

  it('is used for a use case that runs inside a transaction', async () => {
    const ctx = test.context(scope);
    await ctx.inTransaction(async (tx) => {
      const inner = contextInTransaction(ctx, tx);
      await inner.inTransaction(async (own) => void (await insertNote(own, 'inner')));
      expect(await notes()).toEqual([]);
      expect(await inner.db.query('SELECT text FROM notes')).toEqual([{ text: 'inner' }]);
    });
    expect(await notes()).toEqual(['inner']);
  });

  it('lets a gathered statement take part in the transaction', async () => {
    const ctx = test.context(scope);
    const insert = async (db: Tx['db'], items: readonly string[]) => {
      for (const text of items) await insertNote({ db }, text);
      return items.map((value) => ({ ok: true as const, value }));
    };
    const failing = ctx.inTransaction(async (tx) => {
      expect(await contextInTransaction(ctx, tx).gather(insert, 'gathered')).toBe('gathered');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await notes()).toEqual([]);
    expect(await ctx.gather(insert, 'alone')).toBe('alone');
    expect(await notes()).toEqual(['alone']);
  });
});

describe('a connection that breaks during a transaction', () => {
  const breakOff = async (tx: Tx) => {
    const [own] = await tx.db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await test.database.db.query('SELECT pg_terminate_backend($1)', [own?.pid]);
  };

  it('fails it, leaves nothing behind, and the next transaction works', async () => {
    const broken = inTransaction(async (tx) => {
      await insertNote(tx, 'lost');
      await breakOff(tx);
      await insertNote(tx, 'lost too');
    });
    await expect(broken).rejects.toThrow();
    expect(await notes()).toEqual([]);
    await inTransaction((tx) => insertNote(tx, 'kept'));
    expect(await notes()).toEqual(['kept']);
  });

  it('ends no process while the transaction waits for something else', async () => {
    const broken = inTransaction(async (tx) => {
      await breakOff(tx);
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await expect(broken).rejects.toThrow();
  });

  it('can happen to every connection at once, more often than the pool has connections', async () => {
    for (let round = 0; round < 12; round += 1) {
      const broken = inTransaction(async (tx) => {
        await breakOff(tx);
        await insertNote(tx, 'lost');
      });
      await expect(broken).rejects.toThrow();
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => inTransaction((tx) => insertNote(tx, `n${n}`))));
    expect(await notes()).toHaveLength(20);
  });
});
