/**
 * The parts of the URL of a git repository, or why it is refused: a rule and its remedy, as they follow a field's name.
 */
export type RepositoryUrl =
  | {
      isValid: true;
      transport: 'https' | 'http' | 'ssh' | 'local';
      /** Lower case, without brackets; null: a path of the machine. */
      host: string | null;
      /** The same for all ways in which one repository can be written: host and path, in lower case. */
      key: string;
      /** `owner/name`: the whole path on its host, or the last two parts of a local path. */
      shortName: string;
    }
  | { isValid: false; message: string };

export const maxRepositoryUrlLength = 2_048;
const example = 'https://github.com/acme/web.git';

const refusals = {
  empty: `must be the URL of a git repository, such as ${example}`,
  control: 'must not contain spaces, control characters or backslashes. Write it as `git remote get-url` prints it',
  option: `must not have a part that starts with a hyphen, which git takes for an option. Use a URL such as ${example}`,
  helper: `must not name a transport helper (\`name::\`), which runs a program. Use a URL such as ${example}`,
  scheme: 'must start with https:// or ssh://, or have the form git@host:owner/name.git',
  credentials: 'must not contain a password or a token. Remove it: runners use the git credentials of their machine',
  query: 'must not have a query or a fragment. Remove what follows the path',
  path: `must name a repository on its host, such as ${example}`,
} as const;

const control = /[\p{Cc}\\]/u;

const refuse = (why: keyof typeof refusals): RepositoryUrl => ({ isValid: false, message: refusals[why] });

/** Parses the URL of a repository. The installation decides whether its host or a local path is allowed. */
export function readRepositoryUrl(text: string): RepositoryUrl {
  const isPath = text.startsWith('/');
  if (text === '' || text.length > maxRepositoryUrlLength) return refuse('empty');
  if (text.startsWith('-')) return refuse('option');
  if (/^[A-Za-z0-9+.-]*::/.test(text)) return refuse('helper');
  if (control.test(text) || (!isPath && /\s/.test(text))) return refuse('control');
  if (isPath) return localRepository(text);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return scpLike(text);
  if (/[?#]/.test(text)) return refuse('query');
  if (scheme === 'file') return URL.canParse(text) ? fileUrl(new URL(text)) : refuse('path');
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh') return refuse('scheme');
  return URL.canParse(text) ? remoteUrl(new URL(text), scheme) : refuse('path');
}

function fileUrl(url: URL): RepositoryUrl {
  if (url.host !== '') return refuse('path');
  return localRepository(decoded(url.pathname));
}

function remoteUrl(url: URL, transport: 'https' | 'http' | 'ssh'): RepositoryUrl {
  // A user of ssh is no secret; with https it often is a token.
  if (url.password !== '' || (transport !== 'ssh' && url.username !== '')) return refuse('credentials');
  const port = url.port === '' || url.port === '22' ? '' : `:${url.port}`;
  const [user, path] = [decoded(url.username), decoded(url.pathname)];
  return remoteRepository(transport, { user, host: url.hostname, port, path });
}

/** A single letter is a drive, not a host. */
const scpPattern = /^(?:(?<user>[^@:/]*)@)?(?<host>\[[^\]]+\]|[^@:/?#]{2,}):(?<path>.+)$/;

/** `[user@]host:path`, as git and scp take it. */
function scpLike(text: string): RepositoryUrl {
  if (/^[^/]*:[^/]*@/.test(text)) return refuse('credentials');
  const { user = '', host, path } = scpPattern.exec(text)?.groups ?? {};
  if (host === undefined || path === undefined) return refuse('scheme');
  return remoteRepository('ssh', { user, host, port: '', path });
}

type Remote = { user: string; host: string; port: string; path: string };

function remoteRepository(transport: 'https' | 'http' | 'ssh', { user, host, port, path }: Remote): RepositoryUrl {
  const bare = hostOf(`https://${host}`);
  if ([user, host, bare, path].some((part) => part.startsWith('-'))) return refuse('option');
  if (control.test(user + path)) return refuse('control');
  const shortName = withoutSuffix(path);
  if (bare === '' || shortName === '' || hasDots(shortName)) return refuse('path');
  return { isValid: true, transport, host: bare, key: `${bare}${port}/${shortName}`.toLowerCase(), shortName };
}

/** As a URL of the web has it: names in lower case and ASCII, addresses in one form. Empty: it is none. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '');

function localRepository(path: string): RepositoryUrl {
  if (control.test(path)) return refuse('control');
  const name = withoutSuffix(path);
  if (name === '' || hasDots(name)) return refuse('path');
  const shortName = name.split('/').slice(-2).join('/');
  return { isValid: true, transport: 'local', host: null, key: `/${name}`.toLowerCase(), shortName };
}

/** A path without slashes around it and without `.git` at its end. */
export const withoutSuffix = (path: string): string =>
  path
    .replace(/\/+/g, '/')
    .replace(/^\/|\/$/g, '')
    .replace(/(?<=[^/])\.git$/, '');

const hasDots = (path: string) => path.split('/').some((part) => part === '..' || part === '.');

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
