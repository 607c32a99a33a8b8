import type { IncomingHttpHeaders } from 'node:http';

export type HostedPullRequest = {
  number: number;
  repository: string;
  title: string;
  body: string;
  head: { ref: string; sha: string };
  base: string;
  state: 'open' | 'closed';
  mergedAt: string | null;
  updatedAt: string;
  /** Lines that can be commented on; undefined: any. */
  lines?: readonly string[];
  reviews?: HostedReview[];
  /** null: not known yet. */
  mergeable?: boolean | null;
};

type HostedReview = { id: number; body: string; comments: { path: string; line: number; body: string }[] };

export type SourceHostRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, string>;
};

export type SourceHostResponse = { status: number; body: unknown; headers?: Record<string, string> };

const refused = (message: string): SourceHostResponse => ({
  status: 422,
  body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] },
});

/** What the host has. `heads`: what a branch is at; one without is at any commit. */
export type Hosted = { url: string; pullRequests: HostedPullRequest[]; heads: Map<string, string> };

/** Responds as the API of pull requests does. */
export function serveSourceHost(host: Hosted, { method, path, query, body }: SourceHostRequest): SourceHostResponse {
  const [, owner = '', name = '', numbered, reviews] =
    /^\/repos\/([^/]+)\/([^/]+)\/pulls(?:\/(\d+)(\/reviews)?)?$/.exec(path) ?? [];
  const repository = `${owner}/${name}`;
  const own = host.pullRequests.filter((one) => one.repository === repository);
  const one = own.find(({ number }) => number === Number(numbered));
  if (one && reviews) return serveReviews(one, method, body as never);
  if (method === 'POST' && owner !== '') return create(host, repository, body);
  if (method === 'PATCH' && one) {
    Object.assign(one, body, { updatedAt: new Date().toISOString() });
    return { status: 200, body: shown(host, one) };
  }
  const { mergeable = true } = one ?? {};
  if (method === 'GET' && one) return { status: 200, body: { ...shown(host, one), mergeable } };
  if (method !== 'GET' || owner === '') return { status: 404, body: { message: 'Not Found' } };
  const listed = own.filter(({ head }) => `${owner}:${head.ref}` === query.get('head'));
  return { status: 200, body: listed.reverse().map((found) => shown(host, found)) };
}

function serveReviews(
  pullRequest: HostedPullRequest,
  method: string,
  { body = '', comments = [] }: Partial<HostedReview>,
): SourceHostResponse {
  const reviews = (pullRequest.reviews ??= []);
  if (method === 'GET') return { status: 200, body: reviews };
  const { lines } = pullRequest;
  const isThere = ({ path, line }: { path: string; line: number }) => !lines || lines.includes(`${path}:${line}`);
  if (!comments.every(isThere)) return refused('Line could not be resolved');
  const made = { id: reviews.length + 1, body, comments };
  reviews.push(made);
  return { status: 200, body: made };
}

function create(host: Hosted, repository: string, body: Record<string, string>): SourceHostResponse {
  const { title = '', body: text = '', head = '', base = '' } = body;
  const isSame = (one: HostedPullRequest) =>
    one.repository === repository && one.head.ref === head && one.base === base && one.state === 'open';
  if (host.pullRequests.some(isSame)) return refused(`A pull request already exists for ${head}.`);
  const made: HostedPullRequest = {
    number: host.pullRequests.length + 1,
    repository,
    title,
    body: text,
    head: { ref: head, sha: host.heads.get(head) ?? 'unknown' },
    base,
    state: 'open',
    mergedAt: null,
    updatedAt: new Date().toISOString(),
  };
  host.pullRequests.push(made);
  return { status: 201, body: shown(host, made) };
}

function shown({ url }: Hosted, pullRequest: HostedPullRequest): object {
  const { number, repository, mergedAt, updatedAt, base, title, body, head, state } = pullRequest;
  return {
    title,
    body,
    head,
    state,
    number,
    html_url: `${url}/${repository}/pull/${number}`,
    user: { login: 'the-service' },
    merged_at: mergedAt,
    updated_at: updatedAt,
    base: { ref: base, repo: { full_name: repository } },
  };
}
