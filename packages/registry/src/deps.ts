import type { AnyJobKind } from "@plimsoll/store";
import type { BrowserSessions } from "./access/session.ts";
import type { PasswordService } from "./crypto/passwords.ts";
import type { Sealer } from "./crypto/secrets.ts";
import type { AddressLimit } from "./limits/address-limit.ts";
import type { TagRoom } from "./limits/tag-room.ts";
import type { PageSealing } from "./lists/page-tokens.ts";
import type { BlobStore } from "./ports/blob-store.ts";
import type { PageAddress, Ports } from "./ports.ts";
import type { RegistrySettings } from "./settings.ts";
import type { RegistryStore } from "./store/tables/all.ts";

/**
 * What a registry is made of: its ports, and the parts that all requests and jobs share. `createRegistry` makes it once. A function says
 * what it takes of it, such as `Pick<Deps, "store" | "clock">`.
 */
export interface Deps extends Ports {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly settings: RegistrySettings;
  /** The addresses of pages in messages and events, at the host of the settings. */
  readonly pageAddress: PageAddress;
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
