/** The parts of the administration, in the order of its navigation. */
export const sections = [
  { path: '/admin', label: 'Dashboard' },
  { path: '/admin/keys', label: 'API keys' },
  { path: '/admin/clients', label: 'OAuth clients' },
  { path: '/admin/users', label: 'Users' },
  { path: '/admin/audit', label: 'Audit log' },
] as const;
