import {
  Handle,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo } from 'react';
import { Button } from '../parts/button.tsx';
import { Tag } from '../parts/tag.tsx';
import { edgesOf, nodeSize, placeSteps } from './graph-layout.ts';
import type { GraphStep } from './graph-steps.ts';
import styles from './step-graph.module.css';

export type StepGraphProps = {
  steps: readonly GraphStep[];
  chosen?: string | undefined;
  onChoose?: (key: string) => void;
};

type StepNode = Node<{ step: GraphStep; isChosen: boolean }, 'step'>;

const nodeTypes = { step: StepBox };

/** Steps and their dependencies. Pages also list the steps, for keyboards and screen readers. */
export function StepGraph(props: StepGraphProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ steps, chosen, onChoose }: StepGraphProps) {
  const flow = useReactFlow();
  const shape = JSON.stringify(steps.map(({ key, needs }) => [key, needs]));
  const places = useMemo(() => placeSteps(steps), [shape]);
  useEffect(() => {
    // After the new nodes are drawn.
    const frame = requestAnimationFrame(() => void flow.fitView(fit));
    return () => cancelAnimationFrame(frame);
  }, [flow, shape]);
  const nodes = steps.map((step): StepNode => ({
    id: step.key,
    type: 'step',
    position: places.get(step.key) ?? { x: 0, y: 0 },
    ...nodeSize,
    data: { step, isChosen: step.key === chosen },
  }));
  const edges = edgesOf(steps).map(({ from, to }) => ({ id: `${from} ${to}`, source: from, target: to }));
  return (
    <div className={styles['graph']} data-steps={steps.length}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodeClick={(_event, { id }) => onChoose?.(id)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnScroll={false}
        preventScrolling={false}
        minZoom={0.1}
        maxZoom={1.5}
        fitView
        fitViewOptions={fit}
        proOptions={{ hideAttribution: true }}
      >
        <Panel position="bottom-right" className={styles['tools'] ?? ''}>
          <Button aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
            +
          </Button>
          <Button aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
            −
          </Button>
          <Button onClick={() => void flow.fitView(fit)}>Fit</Button>
        </Panel>
      </ReactFlow>
    </div>
  );
}

const fit = { padding: 0.08, maxZoom: 1 };

function StepBox({ data: { step, isChosen } }: NodeProps<StepNode>) {
  return (
    <div className={styles['box']} data-tone={step.tone} data-chosen={isChosen} title={step.name}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span className={styles['name']} dir="auto">
        {step.name}
      </span>
      <Tag tone={step.tone}>{step.note}</Tag>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}
