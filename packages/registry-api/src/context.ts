import type { AnyJobKind, StoreError } from "@plimsoll/store";
import type { GlobalRole } from "./access/global-role.ts";
import type { Principal } from "./access/principal.ts";
import type { BrowserSessions, NewSession, Session } from "./access/session.ts";
import type { PasswordService, Passwords } from "./crypto/passwords.ts";
import type { Sealer } from "./crypto/secrets.ts";
import type { AddressLimit } from "./limits/address-limit.ts";
import type { Ports } from "./ports.ts";
import type { Origin, RegistrySettings } from "./settings.ts";
import type { RegistryDb } from "./store/tables/all.ts";
import type { LogKind } from "./values/log-kinds.ts";

/** What stays the same from request to request. */
export interface Registry {
  readonly settings: RegistrySettings;
  readonly ports: Ports;
  readonly passwords: PasswordService;
  /** Accounts that people make for themselves. */
  readonly signUps: AddressLimit;
  /** Marks names that no account has: failed sign-ins with them are counted as well. */
  readonly loginKey: Uint8Array;
  /** Sessions that browsers alone keep. */
  readonly browserSessions: BrowserSessions;
  /** Encrypts secrets that are stored and read again. */
  readonly secrets: Sealer;
  /** Seals page tokens. */
  readonly pageTokens: Sealer;
  /** The kinds of jobs that rows of their own tell of. */
  readonly kindsWithRows: readonly AnyJobKind[];
}

/** The namespace or repository of an entry of the usage log, where it is not that of the operation. */
export interface LogPlace {
  readonly namespaceId?: string;
  readonly repositoryId?: string;
}

/** What an operation works with besides its input. */
export interface OperationContext<Kind extends LogKind = never> extends Omit<Registry, "passwords"> {
  /** Why the database takes no changes, for operations that do what they can without: see `withoutChanges`. */
  readonly readOnly?: StoreError;
  /** Of the client that sent the request. */
  readonly passwords: Passwords;
  /** A transaction where the operation may change something: what a handler writes is kept as a whole, or not at all. */
  readonly db: RegistryDb;
  readonly principal: Principal;
  readonly globalRole: GlobalRole;
  /** The session of the caller's browser, signed in or not; absent for programs. */
  readonly session?: Session;
  readonly request: CallerRequest;
  /** Epoch milliseconds of the request. */
  readonly now: number;
  /** Adds to the usage log, in the same transaction. The place is what the operation works on unless another is given. */
  readonly log: (kind: Kind, metadata: Readonly<Record<string, unknown>>, place?: LogPlace) => Promise<void>;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void;
  /** Replaces the session of the caller's browser, or ends it. */
  sendSession(session: NewSession | undefined): void;
}

/** What the request itself says. */
export interface CallerRequest {
  /** Where the caller finds the registry: for the addresses in the answer, and for nothing that others read. */
  readonly origin: Origin;
  readonly ip: string;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
}
