import type { ArtifactWithContent } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { toArtifactDetail } from './artifact-detail.ts';
import { findArtifact } from './artifact.read-model.ts';

/** An artifact of a task with its content; 404 when the task has none of that id. */
export async function getArtifact(
  ctx: UseCaseContext,
  { taskId, artifactId }: { taskId: string; artifactId: string },
): Promise<ArtifactWithContent> {
  const found = await findArtifact(ctx, taskId, artifactId);
  if (!found) throw new AppError('not_found', { message: 'The artifact does not exist.' });
  const { content, ...shown } = found;
  return { ...toArtifactDetail(shown), content };
}
