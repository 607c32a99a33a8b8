import { z } from 'zod';
import { freeForm, idOutput, timestampInput, timestampOutput } from './fields.ts';
import { listQuery, listResponse } from './list.ts';

export const artifactKinds = ['pull_request', 'commit', 'branch', 'file', 'test_report', 'link'] as const;

/** What an agent made, as it tells of it. */
export const artifact = z.strictObject({
  kind: z.enum(artifactKinds).describe('What was made.'),
  title: z.string().max(500).optional(),
  url: z.string().max(2_048).optional(),
  sha: z.string().max(128).optional(),
  data: freeForm().optional(),
});

/** An artifact as an agent is shown it with a claim. */
export const shownArtifact = z.object({
  kind: z.enum(artifactKinds).describe('What was made.'),
  title: z.string().max(500).nullable(),
  url: z.string().max(2_048).nullable(),
});

/** An artifact with what was attached to it. */
export const artifactDetail = z.object({
  id: idOutput.meta({ example: 'art_01ks0000000000000000000000' }),
  ...shownArtifact.shape,
  sha: z.string().max(128).nullable(),
  data: z.record(z.string(), z.unknown()).nullable(),
  created_at: timestampOutput,
});
export type ArtifactDetail = z.infer<typeof artifactDetail>;

const text = z.string().max(2_048);

export const artifactListQuery = listQuery({
  sortable: ['created_at', 'id', 'kind', 'title', 'url', 'sha'],
  filters: { id: text, kind: z.enum(artifactKinds), title: text, url: text, sha: text, created_at: timestampInput },
});
/** Filters of a task's artifacts; an absent one matches everything. */
export type ArtifactFilter = Omit<z.output<typeof artifactListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

export const artifactList = listResponse(artifactDetail);
