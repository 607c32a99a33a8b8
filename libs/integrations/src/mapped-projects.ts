import { AppError, type Violation } from '@eas/core';
import type { Tx } from '@eas/db';
import { findUnknownProjects } from '@eas/tasks';

/** Throws invalid_input naming each place that is mapped to a project that does not exist. null: one is removed. */
export async function assertMappedProjects(
  tx: Tx,
  map: Readonly<Record<string, string | null>> | null | undefined,
): Promise<void> {
  const mapped = Object.entries(map ?? {}).flatMap(([place, id]) => (id === null ? [] : [{ place, id }]));
  const unknown = await findUnknownProjects(
    tx,
    mapped.map(({ id }) => id),
  );
  const violations = mapped.flatMap(({ place, id }): Violation[] =>
    unknown.has(id)
      ? [{ field: `project_map.${place}`, constraint: 'format', message: 'must be the id of an existing project' }]
      : [],
  );
  if (violations.length > 0) throw new AppError('invalid_input', { violations });
}
