import { job, type NewJob, schedule } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../../deps.ts";
import type { Clock } from "../../ports.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { pruneNamespace } from "./prune-namespace.ts";
import { listNamespacesWithPolicies } from "./queries.ts";

/** Prunes the repositories of a namespace, or one of them. */
export const pruneNamespaceJob = job({
  kind: "registry.prune-namespace",
  payload: Type.Object({ namespaceId: Type.String(), repositoryId: Type.Optional(Type.String()) }),
  key: ({ namespaceId, repositoryId }) => (repositoryId === undefined ? namespaceId : `${namespaceId} ${repositoryId}`),
  tenant: ({ namespaceId }) => namespaceId,
  priority: "bulk",
  staleAfterSeconds: 86_400,
  handle: ({ payload, signal }, context: Pick<Deps, "store" | "clock">) => pruneNamespace(context, payload, signal),
});

/** How often a namespace that has policies is pruned. */
export const pruneEveryMs = 3_600_000;

/** The schedule of the job for all namespaces that have policies. */
export const pruneSchedule = schedule(pruneNamespaceJob, async (db: RegistryDb) =>
  (await listNamespacesWithPolicies(db)).map((namespaceId) => ({ payload: { namespaceId }, everyMs: pruneEveryMs })),
);

/** The delay between a push and pruning, so that many pushes cause one run. */
const restMs = 30_000;

/** The job that prunes a repository soon. */
export function pruneSoon(
  { namespace_id: namespaceId, id: repositoryId }: { readonly namespace_id: string; readonly id: string },
  clock: Clock,
): NewJob {
  return pruneNamespaceJob.of({ namespaceId, repositoryId }, { runAt: clock.now() + restMs });
}
