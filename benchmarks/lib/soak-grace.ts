/** The grace periods of garbage collection during a soak, in milliseconds, so that minutes show what otherwise takes days. */
export const soakGraceMs = { links: 30_000, manifests: 20_000, uploads: 60_000 } as const;
