const forbidden = /[\p{Cc} ~^:?*[\\]/u;

/** What is wrong with the name of a branch, as it follows a field's name: the rules of `git check-ref-format --branch`. */
export function branchProblem(name: string): string | undefined {
  if (name.startsWith('-')) return 'must not start with a hyphen, which git takes for an option';
  if (forbidden.test(name)) return 'must not contain spaces, control characters or any of ~ ^ : ? * [ \\';
  if (name.includes('..') || name.includes('@{')) return 'must not contain .. or @{';
  if (name === '@' || name === 'HEAD') return 'must be the name of a branch, such as main';
  const parts = name.split('/');
  if (parts.includes('')) return 'must not start or end with a slash, or contain two in a row';
  if (parts.some((part) => part.startsWith('.') || part.endsWith('.lock')) || name.endsWith('.'))
    return 'must not have a part that starts with a dot or ends with .lock, or end with a dot';
  return undefined;
}

/** What is wrong with the path or glob of files to copy into a worktree, as it follows a field's name. */
export function copyPathProblem(path: string): string | undefined {
  if (/[\p{Cc}\\]/u.test(path)) return 'must not contain control characters or backslashes. Separate folders with /';
  if (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path))
    return 'must be relative to the folder that files are copied from, such as .env';
  if (path.startsWith('-')) return 'must not start with a hyphen. Write ./ before it';
  const parts = path.toLowerCase().split('/');
  if (parts.includes('..')) return 'must not contain .., so that it stays below the folder that files are copied from';
  if (parts.includes('.git')) return 'must not lead into .git, which belongs to git';
  return undefined;
}
