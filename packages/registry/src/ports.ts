import { invalidRequest, RegistryError } from "./errors.ts";
import { type GitArchives, type ImageBuilder, noGitArchives, noImageBuilder } from "./ports/building.ts";
import { type Directory, type FederatedTokens, type IdentityProvider, noDirectory } from "./ports/identities.ts";
import type { LargeImages } from "./ports/large-images.ts";
import { type ImageScanner, noImageScanner, type ReportWriter } from "./ports/scanning.ts";
import { noUpstreams, type UpstreamAddress, type Upstreams } from "./ports/upstreams.ts";

/** A source of the current time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** A page or a file of the registry that messages, events and other services name. What serves the registry knows their addresses. */
export type NamedPage =
  | { readonly kind: "repository"; readonly namespace: string; readonly name: string }
  | { readonly kind: "namespace"; readonly namespace: string }
  /** Where a code of an e-mail is used. `next` is the page that was requested before. */
  | { readonly kind: "confirmation" | "recovery"; readonly code: string; readonly next?: string | undefined }
  | { readonly kind: "invite"; readonly code: string }
  /** A file of exported usage logs. */
  | { readonly kind: "exported-log"; readonly file: string };

/** The address of a page, with the scheme and the host of the registry. */
export type PageAddress = (page: NamedPage) => string;

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

/** Sends to other hosts what clients want sent there, and reads what they name. Internal hosts are refused unless the settings allow them. */
export interface OutgoingGuard {
  /** Refuses a host because of its name, or of an address that the name resolves to. @throws RegistryError `invalid_request` */
  check(host: string): Promise<void>;
  /** Delivers a document. The receiver is not followed to another address. @throws Error for a receiver that cannot be reached */
  deliver(document: OutgoingDocument, options: { readonly signal: AbortSignal }): Promise<Receipt>;
  /**
   * Opens a file as a stream.
   * @throws RegistryError for a forbidden host; BuildError for an answer without the file; other errors for failures that a retry may mend
   */
  download(url: string, options: { readonly signal: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Checks whether a registry accepts a login: `Valid`, or `Anonymous` if it requires one and none is given.
   * @throws RegistryError `invalid_request`
   */
  checkLogin(registry: LoginAddress, options: { readonly signal: AbortSignal }): Promise<"Valid" | "Anonymous">;
}

/** A document for a receiver. */
export interface OutgoingDocument {
  readonly url: string;
  /** JSON. */
  readonly text: string;
  /** If the document is about an event: what the receiver is told beside it. */
  readonly event?: OutgoingEvent;
}

/** What a receiver is told beside the document of an event. */
export interface OutgoingEvent {
  /** The same in every attempt, so that receivers recognize repetitions. */
  readonly id: string;
  readonly name: string;
  readonly isTest: boolean;
  /** The key that signs the document; absent: it is not signed. */
  readonly secret: string | undefined;
  /** Epoch milliseconds of the attempt. */
  readonly at: number;
}

/** How a receiver took a document. */
export interface Receipt {
  /** `done`: it is finished with it; `taken`: it has it, and may do more with it. */
  readonly kind: "done" | "taken" | "refused";
  /** The same in words: `the receiver answered 503`. */
  readonly text: string;
}

/** The address of another registry, with a login. */
export interface LoginAddress extends Pick<UpstreamAddress, "host" | "verifiesTls"> {
  readonly login: UpstreamAddress["login"];
}

/**
 * The interfaces of the registry to other systems. {@link noPorts} has what a registry uses where it is given none: these refuse, and
 * what needs one of them is not offered.
 */
export interface Ports {
  readonly clock: Clock;
  readonly outgoing: OutgoingGuard;
  readonly upstreams: Upstreams;
  readonly mailer: Mailer;
  readonly directory: Directory;
  /** Further services that users can sign in with. Their names differ. */
  readonly identityProviders: readonly IdentityProvider[];
  readonly federatedTokens: FederatedTokens;
  readonly imageScanner: ImageScanner;
  readonly largeImages: LargeImages;
  readonly reportWriter: ReportWriter;
  readonly imageBuilder: ImageBuilder;
  readonly gitArchives: GitArchives;
  /** The settings of the process; none where the operator's own program starts the registry. */
  readonly settingsInForce: readonly SettingInForce[];
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
const noOutgoing: OutgoingGuard = {
  async check(host) {
    throw refused(host);
  },
  async deliver({ url }) {
    throw refused(new URL(url).host);
  },
  async download(url) {
    throw refused(new URL(url).host);
  },
  async checkLogin({ host }) {
    throw refused(host);
  },
};

function refused(host: string) {
  return invalidRequest(`${host}: this registry sends no requests to other hosts`);
}

/** The mailer of a registry that sends no e-mail. */
export const noMailer: Mailer = {
  async send() {
    throw new RegistryError("unavailable", "This registry sends no e-mail");
  },
};

/** The ports of a registry that reaches no other system. */
export const noPorts: Omit<Ports, "clock"> = {
  outgoing: noOutgoing,
  upstreams: noUpstreams,
  mailer: noMailer,
  directory: noDirectory,
  identityProviders: [],
  federatedTokens: {
    async verify() {
      throw new RegistryError("invalid_token", "This registry accepts no tokens of CI systems");
    },
  },
  imageScanner: noImageScanner,
  largeImages: { answer: () => undefined },
  reportWriter: {
    async write() {
      throw new RegistryError("downstream_issue", "This registry does not write such documents");
    },
  },
  imageBuilder: noImageBuilder,
  gitArchives: noGitArchives,
  settingsInForce: [],
};
