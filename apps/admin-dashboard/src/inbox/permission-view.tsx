import type { Schemas } from '../api/client.ts';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { DiffView } from '../resources/diff/diff-view.tsx';

const maxFiles = 20;

/** The fields whose changes are not shown. */
function otherFiles({ paths = [], diff = [] }: Schemas['Permission']): string[] {
  const shown = new Set(diff.map(({ path }) => path));
  return [...new Set(paths)].filter((path) => !shown.has(path));
}

/** What an agent wants to do with a tool. */
export const PermissionView = ({ permission }: { permission: Schemas['Permission'] }) => {
  const { tool, name, title, command, diff = [], truncated } = permission;
  const files = otherFiles(permission);
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
      {files.length > 0 && (
        <ul aria-label="Files" className={parts['small']}>
          {files.slice(0, maxFiles).map((path) => (
            <li key={path}>
              <bdi>{path}</bdi>
            </li>
          ))}
          {files.length > maxFiles && <li>and {files.length - maxFiles} more files</li>}
        </ul>
      )}
      {truncated === true && (
        <p className={parts['note']}>The command or the list of files is cut: there is more than is shown.</p>
      )}
      <p className={parts['small']}>
        Always for this task: the same {command === undefined ? 'title' : 'command'} with the same kind of tool is not
        asked about again. The page of the task lists it, and takes it back.
      </p>
    </section>
  );
};
