// Optional platform packages that a lock file names but does not list; pure, so that it can be tested.
type LockEntry = {
  version?: string;
  resolved?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
export type LockPackages = Record<string, LockEntry>;
export type LockGap = { name: string; version: string; wantedBy: string; isDev: boolean };

const OS: Record<string, string> = { windows: 'win32', win32: 'win32' };
for (const os of ['darwin', 'linux', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'android', 'openharmony'])
  OS[os] = os;
const CPU = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'mips64el'];

/** The folders in which Node searches `name` for the package at `path`, nearest first. */
function candidates(path: string, name: string): string[] {
  const found: string[] = [];
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    found.push(at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`);
    if (at === '') return found;
  }
}

/** Gaps with an exact version; ranges are npm's to resolve. */
export function lockGaps(packages: LockPackages): LockGap[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !candidates(path, name).some((folder) => packages[folder]))
      .filter(([, version]) => /^\d+\.\d+\.\d+/.test(version))
      .map(([name, version]) => ({ name, version, wantedBy: path, isDev: entry.dev ?? false })),
  );
}

/** Packages whose entry names the registry they came from: the next one who installs may have another. */
export function registryEntries(packages: LockPackages): string[] {
  return Object.entries(packages)
    .filter(([, { resolved }]) => /^https?:/.test(resolved ?? ''))
    .map(([path]) => path);
}

function entryOf({ name, version, isDev }: LockGap): LockEntry {
  const words = name.split(/[-/]/);
  const os = words.map((word) => OS[word]).find((found) => found !== undefined);
  const cpu = words.map((word) =>
    CPU.find((known) => known === word || (known === 'arm' && /^armv?/.test(word) && word !== 'arm64')),
  );
  const found = cpu.find((known) => known !== undefined);
  return {
    version,
    ...(found ? { cpu: [found] } : {}),
    ...(isDev ? { dev: true } : {}),
    ...(os === 'linux' && words.includes('musl') ? { libc: ['musl'] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  };
}

/** The same packages with an entry for each gap, in npm's order. */
export function withEntries(packages: LockPackages, gaps: readonly LockGap[]): LockPackages {
  const added = gaps.map((gap) => [`node_modules/${gap.name}`, entryOf(gap)] as const);
  const all = [...Object.entries(packages), ...added];
  return Object.fromEntries(all.sort(([left], [right]) => left.localeCompare(right, 'en')));
}
