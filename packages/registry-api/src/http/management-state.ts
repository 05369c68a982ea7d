import type { Exchange, RequestNotes } from "@plimsoll/http";
import type { AccessRequest } from "@plimsoll/registry/access/access";
import type { GlobalRole } from "@plimsoll/registry/access/global-role";
import { accountOf, type Principal } from "@plimsoll/registry/access/principal";
import { RegistryError } from "@plimsoll/registry/errors";
import type { AskedList } from "@plimsoll/registry/lists/page-tokens";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import type { Caller } from "./authenticate.ts";

/** A request of the management API on its way through the stages. */
export type ManagementExchange = Exchange<ManagementState>;

/** The state that the stages of the management API share for a request. */
export class ManagementState {
  /** Epoch milliseconds. */
  now = 0;
  /** The request of a list, completed by its page token; only for operations with pages. */
  asked: AskedList | undefined;
  #caller: Caller | undefined;
  #admission: AccessRequest | undefined;

  identified(now: number, caller: Caller): void {
    this.now = now;
    this.#caller = caller;
  }

  admitting(admission: AccessRequest): void {
    this.#admission = admission;
  }

  get caller(): Caller {
    return noted(this.#caller);
  }

  get admission(): AccessRequest {
    return noted(this.#admission);
  }

  get globalRole(): GlobalRole {
    return this.admission.globalRole;
  }
}

/** The message that refuses changes. */
export const readOnlyMessage = "The registry is read-only at the moment: it can be read, and takes no changes";

/** Refuses a change while the registry is read-only. @throws RegistryError `read_only` */
export function checkWritable({ readOnly }: Pick<RegistrySettings, "readOnly">): void {
  if (readOnly) throw new RegistryError("read_only", readOnlyMessage, { details: { is_readonly: true } });
}

/** Returns a value that an earlier stage has set. @throws TypeError if it is missing */
export function noted<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("a stage ran before the stage that it needs");
  return value;
}

/** Records the caller for the access log. */
export function noteCaller(notes: RequestNotes, principal: Principal): void {
  if (principal.kind === "anonymous") return;
  notes.callerKind = principal.kind;
  const account = accountOf(principal);
  if (account !== undefined) notes.caller = account.username;
}
