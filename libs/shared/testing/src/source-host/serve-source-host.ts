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
};

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
  const [, owner = '', name = '', numbered] = /^\/repos\/([^/]+)\/([^/]+)\/pulls(?:\/(\d+))?$/.exec(path) ?? [];
  const repository = `${owner}/${name}`;
  if (method === 'POST' && owner !== '') return create(host, repository, body);
  const own = host.pullRequests.filter((one) => one.repository === repository);
  const one = own.find(({ number }) => number === Number(numbered));
  if (method === 'PATCH' && one) {
    Object.assign(one, body, { updatedAt: new Date().toISOString() });
    return { status: 200, body: shown(host, one) };
  }
  if (method !== 'GET' || owner === '') return { status: 404, body: { message: 'Not Found' } };
  const listed = own.filter(({ head }) => `${owner}:${head.ref}` === query.get('head'));
  return { status: 200, body: listed.reverse().map((found) => shown(host, found)) };
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

function shown({ url }: Hosted, { number, repository, mergedAt, updatedAt, base, ...rest }: HostedPullRequest): object {
  return {
    ...rest,
    number,
    html_url: `${url}/${repository}/pull/${number}`,
    user: { login: 'the-service' },
    merged_at: mergedAt,
    updated_at: updatedAt,
    base: { ref: base, repo: { full_name: repository } },
  };
}
