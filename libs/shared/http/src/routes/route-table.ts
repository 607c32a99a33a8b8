import type { Route } from './route.ts';

type Node = { fixed: Map<string, Node>; param?: Node; routes: Map<string, Found['route']> };

/** A route that a path leads to, with the texts of its parameters in order. */
export type Found = { route: Route; values: readonly string[] };

export type RouteTable = {
  /** The route, or the methods of the path, or undefined for an unknown path. */
  find(method: string, path: string): Found | { allow: string } | undefined;
};

const newNode = (): Node => ({ fixed: new Map(), routes: new Map() });

/** A tree over path segments; a fixed segment takes precedence over a parameter. Throws when two routes conflict. */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const root = newNode();
  for (const route of routes) {
    let node = root;
    for (const segment of segmentsOf(route.path)) node = child(node, segment);
    if (node.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    node.routes.set(route.method, route);
  }
  return {
    find(method, path) {
      const values: string[] = [];
      const node = walk(root, segmentsOf(path), 0, values);
      if (!node) return undefined;
      const route = node.routes.get(method) ?? (method === 'HEAD' ? node.routes.get('GET') : undefined);
      return route ? { route, values } : { allow: allowOf(node) };
    },
  };
}

function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(1, end).split('/');
}

function child(node: Node, segment: string): Node {
  if (segment.startsWith('{')) return (node.param ??= newNode());
  let next = node.fixed.get(segment);
  if (!next) node.fixed.set(segment, (next = newNode()));
  return next;
}

function walk(node: Node, segments: readonly string[], depth: number, values: string[]): Node | undefined {
  if (depth === segments.length) return node.routes.size > 0 ? node : undefined;
  const segment = segments[depth] as string;
  const fixed = node.fixed.get(segment);
  const found = fixed && walk(fixed, segments, depth + 1, values);
  if (found || !node.param || segment === '') return found;
  const length = values.push(segment);
  const below = walk(node.param, segments, depth + 1, values);
  if (!below) values.length = length - 1;
  return below;
}

function allowOf({ routes }: Node): string {
  const methods = [...routes.keys()];
  return (routes.has('GET') ? [...methods, 'HEAD'] : methods).sort().join(', ');
}
