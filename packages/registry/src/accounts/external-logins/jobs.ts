import { job } from "@plimsoll/store";
import { findAccountById } from "../../access/queries.ts";
import type { Deps } from "../../deps.ts";
import { RegistryError } from "../../errors.ts";
import type { Directory } from "../../ports/identities.ts";
import { noteDeparture, notePresence } from "./departures.ts";
import { listLoginsOfService } from "./queries.ts";

/** How often the users are looked up in the directory. */
export const checkDirectoryUsersEveryMs = 15 * 60_000;

/** How many users one request to the directory looks up. */
const pageLength = 100;

/**
 * Looks up all users who sign in with the directory: accounts of missing users are disabled, those of users who returned are enabled,
 * and roles, addresses and names are updated. Nothing is disabled if the directory cannot be reached, nor if it has none of several users: then the settings
 * have a wrong base or filter.
 */
export const checkDirectoryUsersJob = job({
  kind: "registry.check-directory-users",
  key: () => "",
  async handle(
    { signal },
    { store, directory, clock }: Pick<Deps, "store" | "clock"> & { readonly directory: Directory },
  ) {
    const { service, signsUsersIn } = directory;
    if (!signsUsersIn) return;
    const absent: string[] = [];
    let checkedCount = 0;
    for (let after = ""; ; ) {
      signal.throwIfAborted();
      const logins = await listLoginsOfService(store.db, service, { after, limit: pageLength });
      if (logins.length === 0) break;
      const found = await directory.findUsers(
        logins.map(({ subject }) => subject),
        { signal },
      );
      signal.throwIfAborted();
      for (const { subject, account_id: accountId } of logins) {
        if (!found.has(subject)) {
          absent.push(accountId);
          continue;
        }
        await store.transaction(async (db) => {
          const account = await findAccountById(db, accountId);
          const user = found.get(subject);
          if (account !== undefined && user) await notePresence(db, account, { service, user, now: clock.now() });
        });
      }
      checkedCount += logins.length;
      after = logins.at(-1)?.subject ?? "";
    }
    if (checkedCount > 1 && absent.length === checkedCount) throw allUsersMissing(checkedCount);
    for (const accountId of absent) {
      signal.throwIfAborted();
      await store.transaction((db) => noteDeparture(db, { accountId, service, now: clock.now() }));
    }
  },
});

function allUsersMissing(count: number): RegistryError {
  const message = `The directory has none of the ${count} users who sign in with it: check the settings ldapUserBase, ldapNameAttribute and ldapUserFilter. No account was disabled`;
  return new RegistryError("downstream_issue", message);
}
