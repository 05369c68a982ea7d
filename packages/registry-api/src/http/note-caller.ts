import type { RequestNotes } from "@plimsoll/http";
import { accountOf, type Principal } from "@plimsoll/registry/access/principal";

/** Records the caller for the access log. */
export function noteCaller(notes: RequestNotes, principal: Principal): void {
  if (principal.kind === "anonymous") return;
  notes.callerKind = principal.kind;
  const account = accountOf(principal);
  if (account !== undefined) notes.caller = account.username;
}
