// What the public registry of agents that speak the Agent Client Protocol says of versions.
import { z } from 'zod';

export const registryUrl = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

const entry = z.looseObject({
  id: z.string(),
  version: z.string(),
  distribution: z.looseObject({ npx: z.looseObject({ package: z.string() }).optional() }),
});
const registry = z.looseObject({ agents: z.array(entry) });
type Entry = z.infer<typeof entry>;

export type Pin = { name: string; version: string; integrity: string };
/** `newer`: undefined where the registry has no newer one; `why`, in words. */
export type Comparison = { id: string; why: string; newer?: string };

/** Compares the pinned versions with those of the registry: an entry with the same npm package, or else with the same id. */
export function compareWithRegistry(text: string, pins: Readonly<Record<string, Pin>>): Comparison[] {
  const { agents } = registry.parse(JSON.parse(text));
  return Object.entries(pins).map(([id, pin]) => {
    const found = agents.find((one) => packageOf(one)?.name === pin.name) ?? agents.find((one) => one.id === id);
    if (!found) return { id, why: `the registry has no ${pin.name}` };
    const npm = packageOf(found);
    // Programs that the registry downloads have the version of their npm package; another package has its own.
    if (npm && npm.name !== pin.name) return { id, why: `the registry has ${npm.name}, which is another package` };
    const version = npm?.version ?? found.version;
    if (!/^\d+\.\d+\.\d+$/.test(version))
      return { id, why: `the registry has version ${version}, which is no release` };
    return isNewer(version, pin.version)
      ? { id, why: `${pin.version} → ${version}`, newer: version }
      : { id, why: `${pin.version} is as new as that of the registry, ${version}` };
  });
}

function packageOf({ distribution }: Entry): { name: string; version: string } | undefined {
  const [, name, version] = /^(@?[^@]+)@(.+)$/.exec(distribution.npx?.package ?? '') ?? [];
  return name && version ? { name, version } : undefined;
}

function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split('.').map(Number));
  const at = one?.findIndex((part, index) => part !== other?.[index]) ?? -1;
  return at >= 0 && (one?.[at] ?? 0) > (other?.[at] ?? 0);
}
