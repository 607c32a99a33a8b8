import { doAsChild } from './child-task.ts';
import { type Holder, holdTask, type Sign } from './hold-task.ts';

// Agents that work until this process is killed; the parent is sent each sign of life at once.
doAsChild<{ holders: Holder[] }>(({ holders }) =>
  Promise.all(holders.map((holder) => holdTask(holder, (sign: Sign) => process.send?.(sign)))),
);
