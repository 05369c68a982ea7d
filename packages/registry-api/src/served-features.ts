import type { Features } from "./settings.ts";

/** The kinds of jobs of features: while a feature is off, none is put in the queue. */
export const servedFeatures = {
  autoPrune: "registry.prune-namespace",
  logExport: "registry.export-logs",
  mirroring: "registry.sync-mirror",
  proxyCache: "registry.bring-image",
  repositoryNotifications: "registry.deliver-notification",
} as const satisfies Partial<Record<keyof Features, string>>;

/** The kinds of jobs that nothing may put in the queue, since their features are off. */
export function refusedJobs(features: Features): string[] {
  return Object.entries(servedFeatures).flatMap(([name, kind]) => (features[name as keyof Features] ? [] : [kind]));
}
