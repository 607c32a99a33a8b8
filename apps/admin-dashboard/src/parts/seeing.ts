const seeingMs = 500;

/** The ends of something that may be longer than the window. */
export type Edge = 'start' | 'end';
const edges: readonly Edge[] = ['start', 'end'];

/** Whether a person can have read something: each end of it was on screen for half a second, in any order. */
export function createSeeing(onSeen: () => void) {
  const seen = new Set<Edge>();
  const waiting = new Map<Edge, ReturnType<typeof setTimeout>>();

  function hide(edge: Edge): void {
    clearTimeout(waiting.get(edge));
    waiting.delete(edge);
  }

  function see(edge: Edge): void {
    seen.add(edge);
    if (edges.every((one) => seen.has(one))) onSeen();
  }

  return {
    move(edge: Edge, isOnScreen: boolean): void {
      if (!isOnScreen) hide(edge);
      else if (!waiting.has(edge))
        waiting.set(
          edge,
          setTimeout(() => see(edge), seeingMs),
        );
    },
    /** The first end that was not on screen yet. */
    missing: (): Edge | undefined => edges.find((edge) => !seen.has(edge)),
    stop: (): void => edges.forEach(hide),
  };
}
