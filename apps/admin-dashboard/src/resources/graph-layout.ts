import { Graph, layout } from '@dagrejs/dagre';
import type { GraphStep } from './graph-steps.ts';

export const nodeSize = { width: 200, height: 64 };

/** Where each step is drawn, by key: left to right in dependency order. Unknown needs are left out. */
export function placeSteps(steps: readonly GraphStep[]): Map<string, { x: number; y: number }> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 50 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { key } of steps) graph.setNode(key, { ...nodeSize });
  for (const { from, to } of edgesOf(steps)) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    steps.map(({ key }) => {
      const { x = 0, y = 0 } = graph.node(key) as { x?: number; y?: number };
      return [key, { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }];
    }),
  );
}

export function edgesOf(steps: readonly GraphStep[]): { from: string; to: string }[] {
  const known = new Set(steps.map(({ key }) => key));
  return steps.flatMap(({ key, needs }) =>
    needs.filter((need) => known.has(need) && need !== key).map((from) => ({ from, to: key })),
  );
}
