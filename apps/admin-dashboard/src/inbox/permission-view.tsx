import type { Schemas } from '../api/client.ts';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { DiffView } from '../resources/diff/diff-view.tsx';

/** What an agent wants to do with a tool. */
export const PermissionView = ({ permission }: { permission: Schemas['Permission'] }) => {
  const { tool, name, title, command, diff = [] } = permission;
  return (
    <section aria-label="Permission">
      <p className={parts['row']}>
        <Tag tone="warn">{tool.replaceAll('_', ' ')}</Tag>
        {name !== undefined && <bdi className={parts['small']}>{name}</bdi>}
        {command !== undefined && command !== title && <bdi>{title}</bdi>}
      </p>
      {command !== undefined && (
        <pre className={parts['code']} tabIndex={0} aria-label="Command">
          {command}
        </pre>
      )}
      {diff.map((change, at) => (
        <DiffView key={at} diff={change} />
      ))}
      <p className={parts['small']}>
        Always for this task: the same {command === undefined ? 'title' : 'command'} with the same kind of tool is not
        asked about again. The page of the task lists it, and takes it back.
      </p>
    </section>
  );
};
