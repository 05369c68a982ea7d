import { job } from "@plimsoll/store";
import { anonymous } from "../../access/principal.ts";
import { findAccount, isRetiredName } from "../../access/queries.ts";
import { accountOfDirectoryUser } from "../../accounts/external-logins/directory-account.ts";
import { createAccount } from "../../accounts/new-account.ts";
import type { Deps } from "../../deps.ts";
import { RegistryError } from "../../errors.ts";
import type { Directory } from "../../ports/identities.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { LogKind } from "../../values/log-kinds.ts";
import { isNamespaceName } from "../../values/names.ts";
import { judgeLossNow } from "./members.ts";
import {
  addToTeam,
  gatherTeamMembers,
  listTeamsToSync,
  markSynced,
  removeFromTeam,
  type SyncedTeam,
} from "./queries/teams.ts";
import { membershipChanges } from "./sync.ts";

/** The shortest time between two synchronizations of a team. */
const staleMs = 15 * 60_000;

/** How long a team keeps the users of a group that is no longer found: a group may be moved by mistake. */
const missingGroupMs = 24 * 60 * 60_000;

/** What {@link syncTeamsJob} needs. */
export interface SyncTeamsOptions extends Pick<Deps, "store" | "settings" | "clock"> {
  readonly directory: Directory;
}

/**
 * Replaces the users of each team that is synchronized with the directory by those of its group, and creates missing accounts. Robots
 * stay, and so does the last administrator of an organization. A group that
 * is not found takes its users with it a day after it was last found; until then, and while the directory does not answer, nothing
 * changes. An error with one team does
 * not stop the others.
 */
export const syncTeamsJob = job({
  kind: "registry.sync-teams",
  key: () => "",
  async handle({ signal }, options: SyncTeamsOptions) {
    const errors: unknown[] = [];
    for (const team of await listStaleTeams(options)) {
      signal.throwIfAborted();
      await syncTeam(options, team, signal).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} teams could not be synced`);
  },
});

async function listStaleTeams({ store, directory, clock }: SyncTeamsOptions): Promise<readonly SyncedTeam[]> {
  return listTeamsToSync(store.db, { service: directory.service, before: clock.now() - staleMs });
}

async function syncTeam(options: SyncTeamsOptions, team: SyncedTeam, signal: AbortSignal): Promise<void> {
  const { store, directory, clock } = options;
  const { group_dn } = JSON.parse(team.config) as { readonly group_dn: string };
  const group = await directory.listGroup(group_dn, { signal });
  signal.throwIfAborted();
  if (group === undefined) {
    const isMissed = team.synced_at !== null && team.synced_at <= clock.now() - missingGroupMs;
    if (isMissed) await store.transaction((db) => replaceUsers(db, options, { team, group: [] }));
    return;
  }
  await store.transaction(async (db) => {
    await replaceUsers(db, options, { team, group });
    await markSynced(db, team.id, clock.now());
  });
}

async function replaceUsers(
  db: RegistryDb,
  options: SyncTeamsOptions,
  { team, group }: { readonly team: SyncedTeam; readonly group: readonly string[] },
): Promise<void> {
  const { clock } = options;
  const log = (kind: LogKind, member: string) => {
    const metadata = { member, team: team.name };
    return writeUsageLog(db, {
      kind,
      metadata,
      namespaceId: team.organization_id,
      principal: anonymous,
      at: clock.now(),
    });
  };
  const members = await gatherTeamMembers(db, team.id);
  const { join, leave } = membershipChanges(
    members.filter(({ kind }) => kind === "user"),
    group,
  );
  for (const username of join) {
    const id = await findMember(db, options, username);
    if (id !== undefined && (await addToTeam(db, team.id, id))) await log("org_add_team_member", username);
  }
  for (const { id, username } of leave) {
    const verdict = await judgeLossNow(db, team.organization_id, { loss: { teamId: team.id, accountId: id } });
    if (verdict === "enough" && (await removeFromTeam(db, team.id, id))) await log("org_remove_team_member", username);
  }
}

/**
 * The id of a group member's account; undefined for one who cannot have an account. If users sign in with the directory, it is the
 * linked account, so that another account with the same name gets no rights.
 */
async function findMember(
  db: RegistryDb,
  { settings, clock, directory }: SyncTeamsOptions,
  username: string,
): Promise<string | undefined> {
  const now = clock.now();
  if (!directory.signsUsersIn) return findOrCreateUser(db, settings, { username, now });
  const { service } = directory;
  try {
    return (await accountOfDirectoryUser({ db, settings, service, now }, { username })).id;
  } catch (error) {
    if (error instanceof RegistryError && error.code === "insufficient_scope") return undefined;
    throw error;
  }
}

/** The id of the user with a name; undefined for a name that no user can have, or that belongs to an organization. */
async function findOrCreateUser(
  db: RegistryDb,
  settings: RegistrySettings,
  { username, now }: { readonly username: string; readonly now: number },
): Promise<string | undefined> {
  const account = await findAccount(db, username);
  if (account !== undefined) return account.kind === "user" ? account.id : undefined;
  if (!isNamespaceName(username)) return undefined;
  const isRetired = await isRetiredName(db, username);
  if (isRetired) return undefined;
  return (await createAccount(db, settings, { kind: "user", username, verified: true, now })).id;
}
