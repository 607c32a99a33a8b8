import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { readText } from './monitoring-files.ts';

const test = useTestDatabase();

it('every query of the runbook runs on the database of this version', async () => {
  const queries = [...readText('docs/operate/runbook.md').matchAll(/```sql\n([^]+?)```/g)].map(([, sql = '']) => sql);
  expect(queries.length).toBeGreaterThan(3);
  for (const sql of queries) await expect(test.database.db.query(sql)).resolves.toBeInstanceOf(Array);
});
