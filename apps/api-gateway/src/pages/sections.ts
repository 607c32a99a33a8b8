/** The parts of the administration, in the order of its navigation. */
export const sections = [
  { path: '/admin', label: 'Start', about: '' },
  {
    path: '/admin/keys',
    label: 'API keys',
    about: 'Create, rotate and revoke keys for programs that call the API.',
  },
  { path: '/admin/clients', label: 'OAuth clients', about: 'Applications that act for people who sign in.' },
  { path: '/admin/users', label: 'Users', about: 'People who can sign in, and their scopes.' },
  { path: '/admin/audit', label: 'Audit log', about: 'Who did what, and when.' },
] as const;
