import type { Schemas } from '../api/client.ts';
import { textIn } from '../resources/edit/text-in.ts';
import { type Rule, rulesOf } from '../resources/rules/rules.ts';

export type Policy = Schemas['PermissionPolicy'];

/** The field of the form, which people see as a table. */
export const labels = { rules: 'Rules' };

export const rulesIn = (form: FormData): Rule[] => rulesOf(textIn(form, 'rules'));
