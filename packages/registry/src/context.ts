import type { StoreError } from "@plimsoll/store";
import type { GlobalRole } from "./access/global-role.ts";
import type { Principal } from "./access/principal.ts";
import type { Session } from "./access/session.ts";
import type { Passwords } from "./crypto/passwords.ts";
import type { Deps } from "./deps.ts";
import type { RegistryDb } from "./store/tables/all.ts";
import type { LogKind } from "./values/log-kinds.ts";

/** The namespace or repository of an entry of the usage log, if it is not the operation's subject. */
export interface LogPlace {
  readonly namespaceId?: string;
  readonly repositoryId?: string;
}

/** What the rules know of a call besides its input: who sent it, when, and the transaction in which they work. */
export interface CallContext<Kind extends LogKind = never> extends Omit<Deps, "store" | "passwords" | "tagRoom"> {
  /** Why the database takes no changes. Set only for operations that declare `withoutChanges`. */
  readonly readOnly?: StoreError;
  /** Hashes and checks passwords for the caller. */
  readonly passwords: Passwords;
  /** A transaction if the operation may change something: either all writes of a handler are kept, or none. */
  readonly db: RegistryDb;
  readonly principal: Principal;
  readonly globalRole: GlobalRole;
  /** The session of the caller's browser, signed in or not; absent for programs. */
  readonly session?: Session;
  readonly caller: Caller;
  /** Epoch milliseconds of the call. */
  readonly now: number;
  /** Adds an entry to the usage log, in the same transaction. `place` is the operation's subject unless it is given. */
  readonly log: (kind: Kind, metadata: Readonly<Record<string, unknown>>, place?: LogPlace) => Promise<void>;
}

/** Where a call comes from. */
export interface Caller {
  readonly ip: string;
  /** What the caller's program says that it is. */
  readonly userAgent: string;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}
