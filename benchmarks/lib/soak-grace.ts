/** What the collection of a soak leaves to pushes under way, in milliseconds: minutes must show what otherwise takes days. */
export const soakGraceMs = { links: 30_000, manifests: 20_000, uploads: 60_000 } as const;
