import type { Features } from "./settings.ts";

/** The kinds of jobs of features that are named where they are put in the queue. */
export const servedFeatures = {
  autoPrune: "registry.prune-namespace",
  logExport: "registry.export-logs",
  mirroring: "registry.sync-mirror",
  proxyCache: "registry.bring-image",
  repositoryNotifications: "registry.deliver-notification",
} as const satisfies Partial<Record<keyof Features, string>>;
