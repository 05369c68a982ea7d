import { cancelJob } from "@plimsoll/store";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { endCancelledRun } from "../mirrors/end-cancelled-run.ts";
import { withdrawSync } from "../mirrors/mirror-runs.ts";
import { discoverRepositoriesJob } from "./jobs.ts";
import { getOrganizationMirror } from "./organization-mirrors.ts";
import { listRunningMirrors } from "./queries.ts";

/**
 * Cancels the reading of the catalog of an organization that mirrors another registry, and the runs of its mirrors. Later ones come as planned.
 * @throws RegistryError `not_found`
 */
export async function cancelMirroring(
  context: CallContext<"org_mirror_config_changed">,
  organization: AccountRow,
): Promise<void> {
  const { db, now, log } = context;
  await getOrganizationMirror(context, organization);
  await cancelJob(db, discoverRepositoriesJob.keyOf({ organizationId: organization.id }));
  for (const id of await listRunningMirrors(db, organization.id)) {
    await endCancelledRun(db, id, now);
    await withdrawSync(db, { id });
  }
  await log("org_mirror_config_changed", { namespace: organization.username, changed: ["cancelled"] });
}
