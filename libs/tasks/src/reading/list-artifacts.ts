import type { ArtifactDetail, ArtifactFilter, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { assertTaskExists } from './task.read-model.ts';
import { toArtifactDetail } from './artifacts/artifact-detail.ts';
import { pageArtifacts } from './artifacts/artifact.read-model.ts';

/** A page of what agents attached to a task; 404 when the tenant has none of that id. */
export async function listArtifacts(
  ctx: UseCaseContext,
  { taskId, filter }: { taskId: string; filter: ArtifactFilter },
  page: Page,
): Promise<PageOfItems<ArtifactDetail>> {
  await assertTaskExists(ctx, taskId);
  const { items, ...rest } = await pageArtifacts(ctx, { taskId, filter }, page);
  return { items: items.map(toArtifactDetail), ...rest };
}
