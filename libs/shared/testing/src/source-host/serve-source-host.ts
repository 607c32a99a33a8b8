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

export type HostedCheck = {
  id: number;
  suite: string;
  name: string;
  conclusion: string;
  title?: string;
  annotations?: { path: string; start_line: number; annotation_level: string; message: string }[];
  /** Of a job of the host itself. */
  log?: string;
};

/** The data of the host. `heads`: the commit of a branch; a branch without an entry is at any commit. */
export type Hosted = {
  url: string;
  pullRequests: HostedPullRequest[];
  heads: Map<string, string>;
  checks: HostedCheck[];
};

/** Responds as the API of pull requests and checks does. */
export function serveSourceHost(host: Hosted, request: SourceHostRequest): SourceHostResponse {
  const { method, path, query, body } = request;
  const checks = serveChecks(host, request);
  if (checks) return checks;
  const [, owner = '', name = '', numbered, reviews, files] =
    /^\/repos\/([^/]+)\/([^/]+)\/pulls(?:\/(\d+)(\/reviews)?(\/files)?)?$/.exec(path) ?? [];
  const repository = `${owner}/${name}`;
  const own = host.pullRequests.filter((one) => one.repository === repository);
  const one = own.find(({ number }) => number === Number(numbered));
  if (one && files) return { status: 200, body: (one.lines ?? []).map(changedLine) };
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

/** Logs are stored elsewhere, and returned in parts. */
function serveChecks({ url, checks }: Hosted, { path, headers }: SourceHostRequest): SourceHostResponse | undefined {
  const [, what, id] = /\/(check-suites|check-runs|jobs|logs)\/([^/]+)(?:\/[a-z-]+)?$/.exec(path) ?? [];
  if (what === undefined) return undefined;
  const of = (key: 'suite' | 'id') => checks.filter((check) => String(check[key]) === id);
  if (what === 'check-suites') return { status: 200, body: { check_runs: of('suite').map(shownCheck) } };
  const [check] = of('id');
  if (!check) return { status: 404, body: { message: 'Not Found' } };
  if (what === 'check-runs') return { status: 200, body: check.annotations ?? [] };
  if (check.log === undefined) return { status: 410, body: { message: 'Server Error' } };
  if (what === 'jobs') return { status: 302, body: {}, headers: { location: `${url}/logs/${check.id}?signed=1` } };
  if (headers.authorization !== undefined) return { status: 400, body: { message: 'two ways to authenticate' } };
  const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
  const to = headers.range === 'bytes=0-0' ? 1 : check.log.length;
  const range = { 'content-range': `bytes ${from}-${to - 1}/${check.log.length}` };
  return { status: 206, body: check.log.slice(from, to), headers: range };
}

const shownCheck = ({ id, name, conclusion, title, annotations = [], log }: HostedCheck) => ({
  id,
  name,
  conclusion,
  app: { slug: log === undefined ? 'lint-bot' : 'github-actions' },
  output: { title: title ?? null, summary: null, annotations_count: annotations.length },
});

function changedLine(place: string): object {
  const [, filename, line] = /^(.*):(\d+)$/.exec(place) ?? [];
  return { filename, patch: `@@ -${line},0 +${line},1 @@\n+a` };
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
