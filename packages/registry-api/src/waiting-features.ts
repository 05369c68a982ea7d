import type { Features } from "./settings.ts";

/**
 * The features whose work no part of this product does: their operations write what is wanted, and a worker of the operator's own
 * has to do it. They are off unless the operator turns them on. By each, the kind of the jobs that such a worker takes from the
 * queue; `proxyCache` has none: what answers pulls has to look the configuration up.
 */
export const waitingFeatures = {
  proxyCache: undefined,
} as const satisfies Partial<Record<keyof Features, string | undefined>>;

/** One of {@link waitingFeatures}. */
export type WaitingFeature = keyof typeof waitingFeatures;

const names = Object.keys(waitingFeatures) as readonly WaitingFeature[];

/** The features that are on although this process has none of their kinds of jobs: they need a worker of the operator's own. */
export function unservedFeatures(features: Features, kinds: readonly string[]): WaitingFeature[] {
  const isServed = (kind: string | undefined) => kind !== undefined && kinds.includes(kind);
  return names.filter((name) => features[name] && !isServed(waitingFeatures[name]));
}

/** The kinds of jobs of features whose work this product does: while a feature is off, none is put in the queue. */
export const servedFeatures = {
  autoPrune: "registry.prune-namespace",
  logExport: "registry.export-logs",
  mirroring: "registry.sync-mirror",
  repositoryNotifications: "registry.deliver-notification",
} as const satisfies Partial<Record<keyof Features, string>>;

/** The kinds of jobs that nothing may put in the queue, since their features are off. */
export function refusedJobs(features: Features): string[] {
  const kinds = Object.entries({ ...waitingFeatures, ...servedFeatures });
  return kinds.flatMap(([name, kind]) => (features[name as keyof Features] ? [] : (kind ?? [])));
}
