import { enqueueJob, job, type Schedule } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../../deps.ts";
import type { RegistryTables } from "../../store/tables/all.ts";
import { namespaceTenant, ofNamespace } from "../../values/names.ts";
import { discoverRepositories } from "./discover-repositories.ts";
import { listDueOrganizations, skipDiscovery } from "./queries.ts";

/** Reads the catalog that an organization mirrors, and derives the mirrors of its repositories. */
export const discoverRepositoriesJob = job({
  kind: "registry.discover-repositories",
  payload: Type.Object({ organizationId: Type.String(), ...ofNamespace }),
  key: ({ organizationId }) => organizationId,
  tenant: namespaceTenant,
  priority: "bulk",
  timeoutSeconds: 3600,
  staleAfterSeconds: 86_400,
  handle: (attempt, context: Pick<Deps, "store" | "clock" | "secrets" | "outgoing" | "upstreams">) =>
    discoverRepositories(attempt, context),
  onCancelled: ({ payload, db, now }) => skipDiscovery(db, payload.organizationId, now),
});

/** Queues the readings that are due by the rows of the configurations, within a minute after a row changes. */
export const organizationMirrorSchedule: Schedule<RegistryTables> = {
  kind: discoverRepositoriesJob.kind,
  async follow(db, clock) {
    for (const { organizationId } of await listDueOrganizations(db, clock.now()))
      await enqueueJob(db, discoverRepositoriesJob.of({ organizationId, namespaceId: organizationId }), clock);
  },
};
