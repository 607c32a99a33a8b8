export type StepNode = { id: string; needs: readonly string[] };

/** The steps that are done or skipped before each step: its direct and indirect needs. */
export function ancestorsOf(steps: readonly StepNode[]): Map<string, ReadonlySet<string>> {
  const needsOf = new Map(steps.map(({ id, needs }) => [id, needs]));
  return new Map(steps.map(({ id }) => [id, reachedFrom(id, needsOf)]));
}

function reachedFrom(id: string, needsOf: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(needsOf.get(id) ?? [])];
  for (let need = open.pop(); need !== undefined; need = open.pop()) {
    if (reached.has(need)) continue;
    reached.add(need);
    open.push(...(needsOf.get(need) ?? []));
  }
  return reached;
}

/** The first need, as its step's index and its own, by which a step waits for itself. */
export function circleIn(steps: readonly StepNode[]): { step: number; need: number } | undefined {
  const ancestors = ancestorsOf(steps);
  for (const [step, { id, needs }] of steps.entries()) {
    const need = needs.findIndex((other) => other === id || ancestors.get(other)?.has(id));
    if (need >= 0) return { step, need };
  }
  return undefined;
}
