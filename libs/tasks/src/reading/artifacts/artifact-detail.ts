import type { ArtifactDetail } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { ShownArtifact } from './artifact.read-model.ts';

export function toArtifactDetail({ createdAt, ...artifact }: ShownArtifact): ArtifactDetail {
  return { ...artifact, created_at: formatTimestamp(new Date(createdAt)) };
}
