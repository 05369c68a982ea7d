import { job } from "@plimsoll/store";
import { findAccountById } from "../access/queries/accounts.ts";
import { RegistryError } from "../errors.ts";
import type { Directory } from "../ports/identities.ts";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { noteDeparture, notePresence } from "./departures.ts";
import { listLoginsOfService } from "./queries.ts";

/** What {@link checkDirectoryUsersJob} needs. */
export interface CheckDirectoryUsersContext {
  readonly store: RegistryStore;
  readonly directory: Directory;
  readonly clock: Clock;
}

/** How often the directory is asked which of the users it still has. */
export const checkDirectoryUsersEveryMs = 15 * 60_000;

/** About how many users the directory is asked at once. */
const pageLength = 100;

/**
 * Asks the directory about all users who sign in from it: those whom it does not have any more are disabled, those who are back are
 * enabled, and roles follow its filters. Where it cannot be asked, all stays as it is; and so where it has none of several users:
 * then the settings name a wrong place or filter.
 */
export const checkDirectoryUsersJob = job({
  kind: "registry.check-directory-users",
  key: () => "",
  async handle({ signal }, { store, directory, clock }: CheckDirectoryUsersContext) {
    const { service, findUsers } = directory;
    if (findUsers === undefined) return;
    const absent: string[] = [];
    let asked = 0;
    for (let after = ""; ; ) {
      signal.throwIfAborted();
      const logins = await listLoginsOfService(store.db, service, { after, limit: pageLength });
      if (logins.length === 0) break;
      const found = await findUsers(
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
          const seen = { service, role: found.get(subject), now: clock.now() };
          if (account !== undefined) await notePresence(db, account, seen);
        });
      }
      asked += logins.length;
      after = logins.at(-1)?.subject ?? "";
    }
    if (asked > 1 && absent.length === asked) throw hasNobody(asked);
    for (const accountId of absent) {
      signal.throwIfAborted();
      await store.transaction((db) => noteDeparture(db, { accountId, service, now: clock.now() }));
    }
  },
});

function hasNobody(asked: number): RegistryError {
  const message = `The directory has none of the ${asked} users who sign in from it: look at ldapUserBase, ldapNameAttribute and ldapUserFilter. No account was disabled`;
  return new RegistryError("downstream_issue", message);
}
