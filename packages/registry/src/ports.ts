import type { FetchResponse } from "@plimsoll/outbound";
import { invalidRequest } from "./errors.ts";
import type { BlobStore } from "./ports/blob-store.ts";
import type { GitArchives, ImageBuilder } from "./ports/building.ts";
import type { Directory, FederatedTokens, IdentityProvider } from "./ports/identities.ts";
import type { LargeImages } from "./ports/large-images.ts";
import type { ImageScanner, ReportWriter } from "./ports/scanning.ts";
import type { Upstreams } from "./ports/upstreams.ts";

/** A source of the current time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends e-mail. */
export interface Mailer {
  /** Resolves when a server has taken the message. Fails when the signal is aborted; the server may have taken the message nevertheless. */
  send(mail: Mail, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Sends requests to other hosts. Internal hosts are refused unless the settings allow them. */
export interface OutgoingGuard {
  /** Refuses a host because of its name, or of an address that the name resolves to. @throws RegistryError `invalid_request` */
  check(host: string): Promise<void>;
  /** The body of the response must be read or discarded, see {@link FetchResponse}. */
  send(url: string, init?: RequestInit): Promise<FetchResponse>;
}

/** The interfaces of the registry to other systems. A function whose port is absent is not offered. */
export interface Ports {
  readonly clock: Clock;
  readonly outgoing: OutgoingGuard;
  /** Where absent, runs of mirrors fail with an error that says so. */
  readonly upstreams?: Upstreams;
  readonly mailer?: Mailer;
  readonly directory?: Directory;
  /** Further services that users can sign in with. Their names differ. */
  readonly identityProviders?: readonly IdentityProvider[];
  /** Where absent, no robot signs in with the token of a CI system. */
  readonly federatedTokens?: FederatedTokens;
  /** Stores the blobs that images are made of. */
  readonly blobs?: BlobStore;
  readonly imageScanner?: ImageScanner;
  /** Where absent, reports of any size are computed in the thread that answers requests. */
  readonly largeImages?: LargeImages;
  /** Where absent, reports cannot be downloaded in other formats. */
  readonly reportWriter?: ReportWriter;
  /** Where absent, no image can be built. */
  readonly imageBuilder?: ImageBuilder;
  /** The settings of the process; absent where the operator's own program starts the registry. */
  readonly settingsInForce?: readonly SettingInForce[];
  /** Where absent, no image can be built from a git repository. */
  readonly gitArchives?: GitArchives;
}

/** A setting of the process, as operators see it. */
export interface SettingInForce {
  readonly name: string;
  /** The title of the group of settings to which it belongs. */
  readonly group: string;
  /** What it does, in Markdown. */
  readonly meaning: string;
  /** The default value, in words. */
  readonly default: string;
  /** The given value, as JSON without credentials; absent for secrets, and if no value is given. */
  readonly value?: string;
  /** Whether the value is never shown. */
  readonly isSecret: boolean;
  /** Where the value comes from. */
  readonly source: "flag" | "environment" | "file" | "default";
  /** The path of the configuration file. */
  readonly file?: string;
}

/** Refuses every outgoing request. It is the port of registries that are configured without a client for such requests. */
export const noOutgoing: OutgoingGuard = {
  async check(host) {
    throw refused(host);
  },
  async send(url) {
    throw refused(new URL(url).host);
  },
};

function refused(host: string) {
  return invalidRequest(`${host}: this registry sends no requests to other hosts`);
}
