import { z } from 'zod';
import { exampleId, exampleTime, freeForm, idOf, timestampInput, timestampOutput } from '../fields.ts';
import { listQuery, listResponse } from './list.ts';

export const artifactKinds = ['pull_request', 'commit', 'branch', 'file', 'test_report', 'link', 'diff'] as const;

export const artifactKind = z
  .enum(artifactKinds)
  .meta({ id: 'ArtifactKind', description: 'What kind of thing was made. New values can be added.' });

const title = z.string().max(500);
const url = z.string().max(2_048);
const sha = z.string().max(128);
const titleText = 'A short title.';
const urlText = 'Where the artifact is.';
const shaText = 'The commit, for artifacts in a repository.';
const dataText = 'Free-form JSON about the artifact.';
/** Fits into a request together with the other fields. */
export const maxArtifactContent = 1_000_000;
const content = z.string().max(maxArtifactContent);
const contentText = 'The artifact itself as text, such as a patch.';

export const exampleArtifact = {
  kind: 'pull_request',
  title: 'Limit failed logins',
  url: 'https://git.example.com/acme/web/pull/42',
  sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  data: { files_changed: 3 },
};

export const artifact = z
  .strictObject({
    kind: artifactKind,
    title: title.optional().describe(titleText),
    url: url.optional().describe(urlText),
    sha: sha.optional().describe(shaText),
    data: freeForm().optional().describe(dataText),
    content: content
      .optional()
      .describe(`${contentText} Only \`getTaskArtifact\` returns it. The request as a whole can have 1 MiB.`),
  })
  .meta({ id: 'ArtifactInput', description: 'Something that an agent made.', example: exampleArtifact });

export const shownArtifact = z
  .object({
    kind: artifactKind,
    title: title.nullable().describe(titleText),
    url: url.nullable().describe(urlText),
  })
  .meta({ id: 'ArtifactSummary', description: 'An artifact of an earlier attempt.' });

export const artifactDetail = z
  .object({
    id: idOf('ID of the artifact.'),
    ...shownArtifact.shape,
    sha: sha.nullable().describe(shaText),
    data: z.record(z.string(), z.unknown()).nullable().describe(dataText),
    created_at: timestampOutput.describe('When the artifact was attached.'),
  })
  .meta({
    id: 'Artifact',
    description: 'Something that an agent made and attached to a task.',
    example: { id: exampleId('art'), ...exampleArtifact, created_at: exampleTime },
  });
export type ArtifactDetail = z.infer<typeof artifactDetail>;

export const artifactWithContent = artifactDetail
  .extend({ content: content.nullable().describe(`${contentText} null: it has none.`) })
  .meta({
    id: 'ArtifactWithContent',
    base: 'Artifact',
    description: 'An artifact of a task with its content.',
    example: { id: exampleId('art'), ...exampleArtifact, content: null, created_at: exampleTime },
  });
export type ArtifactWithContent = z.infer<typeof artifactWithContent>;

const text = z.string().max(2_048);

export const artifactListQuery = listQuery({
  sortable: ['created_at', 'id', 'kind', 'title', 'url', 'sha'],
  filters: { id: text, kind: z.enum(artifactKinds), title: text, url: text, sha: text, created_at: timestampInput },
});
export type ArtifactFilter = Omit<z.output<typeof artifactListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

export const artifactList = listResponse(artifactDetail);
