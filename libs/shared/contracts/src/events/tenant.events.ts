import { exampleId } from '../fields.ts';
import { defineEvents, eventData, id, name, text, word } from './event.ts';

const tenant = {
  tenant_id: id('ID of the tenant.'),
  slug: word('Short name of the tenant.'),
  name: name('A name for people.'),
  plan: word('What is billed, as a word of the operator. null: none.').nullable(),
};
const example = { tenant_id: exampleId('tnt'), slug: 'acme', name: 'Acme', plan: 'team' };

/** Events of the operator's tenant. */
export const tenantEvents = defineEvents({
  'tenant.created': {
    visibility: 'public',
    data: eventData('A tenant was created.', tenant, example),
    facts: null,
  },
  'tenant.changed': {
    visibility: 'public',
    data: eventData('The name, plan or limits of a tenant were changed.', tenant, example),
    facts: null,
  },
  'tenant.suspended': {
    visibility: 'public',
    data: eventData(
      'A tenant was suspended: its callers are refused, and nothing is sent for it.',
      { ...tenant, reason: text('Why.') },
      { ...example, reason: 'The invoice of October is open.' },
    ),
    facts: null,
  },
  'tenant.resumed': {
    visibility: 'public',
    data: eventData('A suspended tenant is active again.', tenant, example),
    facts: null,
  },
  'tenant.deleted': {
    visibility: 'public',
    data: eventData('A tenant and all its data are deleted.', tenant, example),
    facts: null,
  },
});
