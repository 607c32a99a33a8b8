import { lazyPart } from '../parts/lazy-part.tsx';
import type { StepGraphProps } from './step-graph.tsx';

const StepGraph = lazyPart(() => import('./step-graph.tsx'), 'StepGraph');

/** The graph, whose libraries are loaded when it is first shown. */
export const LazyGraph = (props: StepGraphProps) => (
  <section aria-label="Graph">
    <StepGraph {...props} />
  </section>
);
