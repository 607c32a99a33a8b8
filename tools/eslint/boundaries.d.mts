/** type tag → type tags it may import */
export const TYPES: Record<string, string[]>;
/** scope tag → scope tags it may import */
export const SCOPES: Record<string, string[]>;
