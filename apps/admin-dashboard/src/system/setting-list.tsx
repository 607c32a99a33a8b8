import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import log from '../resources/log.module.css';
import type { SystemState } from './system-queries.ts';

type Setting = SystemState['settings'][number];

export const SettingList = ({ settings }: { settings: readonly Setting[] }) => (
  <section aria-label="Settings">
    <h2>Settings</h2>
    <p className={parts['small']}>Those of the gateway that responded. Secret ones are not shown.</p>
    {settings.map((setting) => (
      <div key={setting.name} className={log['entry']}>
        <span>
          <code>{setting.name}</code> {valueOf(setting)} <Tag>{originOf(setting)}</Tag>
        </span>
        <span className={parts['small']}>{setting.description}</span>
      </div>
    ))}
  </section>
);

const valueOf = ({ value, is_secret: isSecret, is_set: isSet }: Setting): string => {
  if (isSecret) return isSet ? '= (secret)' : '';
  return value === null || value === '' ? '' : `= ${value}`;
};

const originOf = ({ is_set: isSet, is_default: isDefault }: Setting): string => {
  if (!isSet) return 'not set';
  return isDefault ? 'default' : 'set';
};
