import { createShares } from '@eas/core';
import type { SendingLimits } from './target-kind.ts';

/** Slots of a process. A request keeps its shares of tenant and group to its end, and its slot for `slowMs` at most. */
export function createSlots({ slots, ofTenant, ofGroup = Infinity, slowMs, slotsForSlow = slots }: SendingLimits) {
  const quick = createShares(slots);
  const tenants = createShares(Infinity, ofTenant);
  const groups = createShares(Infinity, ofGroup);
  return {
    /** Requests of a tenant. */
    taken: (tenantId: string): number => tenants.taken(tenantId),
    /** Undefined: there is none. Call the result at the end. */
    tryTake(tenantId: string, group: string, isSlow: boolean): (() => void) | undefined {
      if (isSlow && quick.taken() >= slotsForSlow) return undefined;
      const leaveTenant = tenants.tryTake(tenantId);
      const leaveGroup = leaveTenant && groups.tryTake(group);
      let leaveSlot = leaveGroup && quick.tryTake(tenantId);
      const isTaken = leaveSlot !== undefined;
      const endSlot = () => {
        leaveSlot?.();
        leaveSlot = undefined;
      };
      const timer = isTaken && slowMs !== undefined ? setTimeout(endSlot, slowMs) : undefined;
      const leave = () => {
        clearTimeout(timer);
        for (const end of [endSlot, leaveGroup, leaveTenant]) end?.();
      };
      return isTaken ? leave : void leave();
    },
  };
}
