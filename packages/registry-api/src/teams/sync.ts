import type { TeamSubject } from "../access/on-team.ts";
import type { OperationContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { beforeOldest } from "../lists/read-from.ts";
import { readLength, readPages } from "../store/bounded-reads.ts";
import { deleteInvites, listTeamInvites } from "./queries/invites.ts";
import { deleteTeamSync, insertTeamSync } from "./queries/sync.ts";

/**
 * Checks that a group exists in the directory before a team is synchronized with it.
 * @throws RegistryError `invalid_request`, `downstream_issue`
 */
export async function checkGroup({ ports, request }: OperationContext, group: string | undefined): Promise<void> {
  if (ports.directory === undefined) throw cannotSync("Not supported");
  if (group === undefined || group === "") throw cannotSync("Missing group_dn");
  const names = await ports.directory.listGroup(group, { signal: request.signal });
  if (names === undefined || names.length === 0) throw cannotSync("Group does not exist or is empty");
}

function cannotSync(reason: string) {
  return invalidRequest(`Could not sync to group: ${reason}`);
}

/** Synchronizes a team with a group of the directory. Invites to the team end. @throws RegistryError `invalid_request` */
export async function enableTeamSync(
  { db, ports, log }: OperationContext<"enable_team_sync">,
  { team }: TeamSubject,
  group: string,
): Promise<void> {
  const isNew = await insertTeamSync(db, {
    team_id: team.id,
    service: ports.directory?.service ?? "",
    config: JSON.stringify({ group_dn: group }),
    synced_at: null,
  });
  if (!isNew) throw cannotSync("The team is synced already");
  const invites = readPages<{ readonly id: string }>(() =>
    listTeamInvites(db, team.id, { after: beforeOldest, limit: readLength }),
  );
  for await (const some of invites) {
    await deleteInvites(
      db,
      some.map(({ id }) => id),
    );
  }
  await log("enable_team_sync", { team: team.name });
}

/** Ends the synchronization of a team; it keeps its members. */
export async function disableTeamSync(
  { db, log }: OperationContext<"disable_team_sync">,
  { team }: TeamSubject,
): Promise<void> {
  const wasSynced = await deleteTeamSync(db, team.id);
  if (wasSynced) await log("disable_team_sync", { team: team.name });
}
