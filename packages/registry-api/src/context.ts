import type { GlobalRole } from "@plimsoll/registry/access/global-role";
import type { Principal } from "@plimsoll/registry/access/principal";
import type { BrowserSessions, NewSession, Session } from "@plimsoll/registry/access/session";
import type { PasswordService, Passwords } from "@plimsoll/registry/crypto/passwords";
import type { Sealer } from "@plimsoll/registry/crypto/secrets";
import type { AddressLimit } from "@plimsoll/registry/limits/address-limit";
import type { TagRoom } from "@plimsoll/registry/limits/tag-room";
import type { PageSealing } from "@plimsoll/registry/lists/page-tokens";
import type { Ports } from "@plimsoll/registry/ports";
import type { Origin, RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { AnyJobKind, StoreError } from "@plimsoll/store";

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

/** Everything that an operation's handler needs besides its input. */
export interface OperationContext<Kind extends LogKind = never> extends Omit<Registry, "passwords" | "tagRoom"> {
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
  /** Sets a header of the response. */
  setHeader(name: string, value: string): void;
  /** Replaces the session of the caller's browser, or ends it. */
  sendSession(session: NewSession | undefined): void;
}

/** The request of the caller. */
export interface CallerRequest {
  /** The address by which the caller reached the registry. It is used in the response only, never in texts for others. */
  readonly origin: Origin;
  readonly ip: string;
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
}
