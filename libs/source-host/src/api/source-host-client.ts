import { userAgent } from '@eas/outbound';
import { z } from 'zod';
import { type ApiParts, createApiCaller, type PlatformResponse } from '@eas/platform-calls';
import { type ChangedFile, changedFiles } from './changed-file.ts';
import { type Annotation, annotations, type CheckRun, checkRuns, readLogEnd } from './source-host-checks.ts';
import { type SourceHostPullRequest, sourceHostPullRequest } from './source-host-pull-request.ts';

type NewPullRequest = { title: string; body: string; head: string; base: string };

/** Calls to the API of the source host with the token of one integration. `repository`: `owner/name`. */
export type SourceHostClient = {
  /** Those of a branch of the repository itself, open or not, the newest first. */
  findPullRequests(repository: string, branch: string): Promise<PlatformResponse<SourceHostPullRequest[]>>;
  getPullRequest(repository: string, number: number): Promise<PlatformResponse<SourceHostPullRequest>>;
  createPullRequest(repository: string, made: NewPullRequest): Promise<PlatformResponse<SourceHostPullRequest>>;
  changePullRequest(
    repository: string,
    number: number,
    change: { title?: string; body?: string },
  ): Promise<PlatformResponse<SourceHostPullRequest>>;
  /** The first reviews of a pull request. */
  findReviews(repository: string, number: number): Promise<PlatformResponse<SourceHostReview[]>>;
  createReview(repository: string, number: number, made: NewReview): Promise<PlatformResponse<SourceHostReview>>;
  /** The first hundred files that a pull request changes. */
  findChangedFiles(repository: string, number: number): Promise<PlatformResponse<ChangedFile[]>>;
  /** The checks of a suite, as they ended last. */
  findCheckRuns(repository: string, suite: string): Promise<PlatformResponse<{ check_runs: CheckRun[] }>>;
  /** What a check says about lines. */
  findAnnotations(repository: string, checkRunId: number): Promise<PlatformResponse<Annotation[]>>;
  /** The end of the log of a job of the source host; undefined where it cannot be had. */
  readJobLog(repository: string, jobId: number): Promise<string | undefined>;
};

/** Without a decision: an account may not decide about a pull request that it has opened. */
type NewReview = {
  body: string;
  event: 'COMMENT';
  commit_id?: string;
  comments: { path: string; line: number; side: 'RIGHT'; body: string }[];
};

const sourceHostReview = z.looseObject({ id: z.number(), body: z.string().max(1_000_000).nullish() });
type SourceHostReview = z.infer<typeof sourceHostReview>;

/** Opens the API of the source host for a token, which travels in the header of each call and nowhere else. */
export type OpenSourceHost = (token: string, signal?: AbortSignal) => SourceHostClient;

const maxFound = 10;

export function createSourceHostApi(parts: ApiParts): OpenSourceHost {
  return (token, signal) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': userAgent,
    };
    const call = createApiCaller(parts, { token, headers, signal });
    return {
      findPullRequests: (repository, branch) =>
        call('GET', `${pathOf(repository)}?${queryOf(repository, branch)}`, z.array(sourceHostPullRequest)),
      getPullRequest: (repository, number) => call('GET', `${pathOf(repository)}/${number}`, sourceHostPullRequest),
      createPullRequest: (repository, made) => call('POST', pathOf(repository), sourceHostPullRequest, made),
      changePullRequest: (repository, number, change) =>
        call('PATCH', `${pathOf(repository)}/${number}`, sourceHostPullRequest, change),
      findReviews: (repository, number) =>
        call('GET', `${pathOf(repository)}/${number}/reviews?per_page=100`, z.array(sourceHostReview)),
      createReview: (repository, number, made) =>
        call('POST', `${pathOf(repository)}/${number}/reviews`, sourceHostReview, made),
      findChangedFiles: (repository, number) =>
        call('GET', `${pathOf(repository)}/${number}/files?per_page=100`, changedFiles),
      findCheckRuns: (repository, suite) =>
        call(
          'GET',
          `${repositoryPath(repository)}/check-suites/${encodeURIComponent(suite)}/check-runs?per_page=30`,
          checkRuns,
        ),
      findAnnotations: (repository, checkRunId) =>
        call('GET', `${repositoryPath(repository)}/check-runs/${checkRunId}/annotations?per_page=30`, annotations),
      readJobLog: (repository, jobId) =>
        readLogEnd(parts.send, {
          url: `${parts.baseUrl}${repositoryPath(repository)}/actions/jobs/${jobId}/logs`,
          headers,
          signal,
        }),
    };
  };
}

const repositoryPath = (repository: string) => `/repos/${repository.split('/').map(encodeURIComponent).join('/')}`;
const pathOf = (repository: string) => `${repositoryPath(repository)}/pulls`;

function queryOf(repository: string, branch: string): string {
  const head = `${repository.slice(0, repository.indexOf('/'))}:${branch}`;
  const order = { state: 'all', sort: 'created', direction: 'desc', per_page: String(maxFound) };
  return new URLSearchParams({ head, ...order }).toString();
}

/** Where the repositories are whose API it is: `https://api.example.com` or `https://example.com/api/v3`. */
export const sourceHostOf = (apiUrl: string): string =>
  new URL(apiUrl).hostname.replace(/^api\./, '').replace(/^\[(.*)\]$/, '$1');
