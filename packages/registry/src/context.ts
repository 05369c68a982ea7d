import type { AnyJobKind, StoreError } from "@plimsoll/store";
import type { GlobalRole } from "./access/global-role.ts";
import type { Principal } from "./access/principal.ts";
import type { BrowserSessions, NewSession, Session } from "./access/session.ts";
import type { PasswordService, Passwords } from "./crypto/passwords.ts";
import type { Sealer } from "./crypto/secrets.ts";
import type { AddressLimit } from "./limits/address-limit.ts";
import type { TagRoom } from "./limits/tag-room.ts";
import type { PageSealing } from "./lists/page-tokens.ts";
import type { Ports } from "./ports.ts";
import type { Origin, RegistrySettings } from "./settings.ts";
import type { RegistryDb } from "./store/tables/all.ts";
import type { LogKind } from "./values/log-kinds.ts";

/** The parts of a registry that all of its requests share. */
export interface Registry {
  readonly settings: RegistrySettings;
  readonly ports: Ports;
  readonly passwords: PasswordService;
  /** Limits how many accounts one client network creates. */
  readonly signUps: AddressLimit;
  /** How many tags repositories may get before their tags are counted again. */
  readonly tagRoom: TagRoom;
  /** The key of the hashes of names that no account has: failed sign-ins with such names are counted, too. */
  readonly loginKey: Uint8Array;
  /** Sessions that only the browser's cookie stores, not the database. */
  readonly browserSessions: BrowserSessions;
  /** Encrypts secrets that are stored and read again. */
  readonly secrets: Sealer;
  /** Seals page tokens. */
  readonly pageTokens: PageSealing;
  /** The kinds of jobs whose state is also stored in a row of another table. */
  readonly kindsWithRows: readonly AnyJobKind[];
}

/** The namespace or repository of an entry of the usage log, if it is not the operation's subject. */
export interface LogPlace {
  readonly namespaceId?: string;
  readonly repositoryId?: string;
}

/** What the rules know of a call besides its input: who sent it, when, and the transaction in which they work. */
export interface CallContext<Kind extends LogKind = never> extends Omit<Registry, "passwords" | "tagRoom"> {
  /** Why the database takes no changes. Set only for operations that declare `withoutChanges`. */
  readonly readOnly?: StoreError;
  /** Hashes and checks passwords for the client that sent the request. */
  readonly passwords: Passwords;
  /** A transaction if the operation may change something: either all writes of a handler are kept, or none. */
  readonly db: RegistryDb;
  readonly principal: Principal;
  readonly globalRole: GlobalRole;
  /** The session of the caller's browser, signed in or not; absent for programs. */
  readonly session?: Session;
  readonly request: CallerRequest;
  /** Epoch milliseconds of the request. */
  readonly now: number;
  /** Adds an entry to the usage log, in the same transaction. `place` is the operation's subject unless it is given. */
  readonly log: (kind: Kind, metadata: Readonly<Record<string, unknown>>, place?: LogPlace) => Promise<void>;
  /** Replaces the session of the caller's browser, or ends it. */
  sendSession(session: NewSession | undefined): void;
}

/** Where a call comes from. */
export interface CallerRequest {
  /** The address by which the caller reached the registry. It is used in the response only, never in texts for others. */
  readonly origin: Origin;
  readonly ip: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}
