/** The parts of the administration, in the order of its navigation. */
export const sections = [
  { path: '/admin', label: 'Start', about: '' },
  {
    path: '/admin/keys',
    label: 'API keys',
    about: 'Make, rotate and revoke the keys that programs call the API with.',
  },
  { path: '/admin/clients', label: 'OAuth clients', about: 'Applications that act for people who sign in.' },
  { path: '/admin/users', label: 'Users', about: 'People who may sign in, and what they may do.' },
  { path: '/admin/audit', label: 'Audit log', about: 'Who did what, and when. Nothing in it can be changed.' },
] as const;
