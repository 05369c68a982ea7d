import {
  type Bytes,
  type Coverage,
  type Digest,
  type DigestAlgorithm,
  ScanError,
  type VulnerabilityReportJson,
} from "@plimsoll/core";

/** Tells the time. */
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
  /** Resolves when a server has taken the message. */
  send(mail: Mail): Promise<void>;
}

/** A user of a directory. */
export interface DirectoryUser {
  /** The name, in the letters that the directory has. */
  readonly username: string;
  readonly email?: string;
  /** What the directory's filters make of the user here. */
  readonly role?: OutsideRole;
}

/** A directory that teams take their members from, and where it offers that, that users sign in with. */
export interface Directory {
  /** `ldap`. */
  readonly service: string;
  /**
   * The user whose login (a name or an e-mail address) and password these are; undefined where they are those of no single user.
   * Absent where the directory is used for teams only.
   * @throws RegistryError `downstream_issue` where the directory cannot be asked
   */
  authenticate?(
    login: string,
    password: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<DirectoryUser | undefined>;
  /**
   * Which of these names (in lower case) those of users are who may sign in, and what each may do here. Absent where the directory is
   * used for teams only.
   * @throws RegistryError `downstream_issue`
   */
  findUsers?(
    usernames: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, OutsideRole | undefined>>;
  /** The names of those in a group; undefined when there is no such group. @throws RegistryError `downstream_issue` */
  listGroup(group: string, options?: { readonly signal?: AbortSignal }): Promise<readonly string[] | undefined>;
}

/** A user of an identity provider. */
export interface OutsideUser {
  /** What the provider knows the user by; it gives it to no other, and it never changes. */
  readonly subject: string;
  /** The name that the user would like. */
  readonly username?: string;
  /** Only where the provider says that it is the user's. */
  readonly email?: string;
  /** Absent where the provider tells no groups. */
  readonly groups?: readonly string[];
  /** What the provider's groups make of the user here. */
  readonly role: OutsideRole | undefined;
}

/** What a service outside says that a user may do in the whole registry, besides what the settings say. */
export type OutsideRole = "superuser" | "restricted";

/** A sign-in that waits for the user's browser to come back. */
export interface BegunSignIn {
  /** Comes back with the browser. */
  readonly state: string;
  /** Comes back in the provider's signed answer. */
  readonly nonce: string;
  /** Shows the provider that who exchanges the code is who asked for it (PKCE). */
  readonly codeVerifier: string;
  /** Where the browser comes back. */
  readonly redirectUri: string;
}

/** A service that users sign in with in their browsers, with OpenID Connect. */
export interface IdentityProvider {
  /** Its name in addresses and logins. */
  readonly service: string;
  /** What people call it. */
  readonly title: string;
  /** Whether users who have no account yet get one. */
  readonly createsAccounts: boolean;
  /** Whether it tells groups, so that teams can be synchronized with them. */
  readonly tellsGroups: boolean;
  /** The address that the browser is sent to. @throws RegistryError `downstream_issue` */
  begin(signIn: BegunSignIn): Promise<string>;
  /**
   * The user who has signed in there.
   * @param answer the query with which the browser came back
   * @throws RegistryError `insufficient_scope` where the provider or its groups refuse the user, `downstream_issue`
   */
  finish(signIn: BegunSignIn, answer: URLSearchParams): Promise<OutsideUser>;
}

/** Checks tokens of issuers outside, such as CI systems give their jobs. */
export interface FederatedTokens {
  /**
   * Checks the signature of a token, its issuer, subject, audience and times.
   * @throws RegistryError `invalid_token` that says why
   */
  verify(
    token: string,
    expected: {
      readonly issuer: string;
      readonly subject: string;
      readonly audiences: readonly string[];
      readonly now: number;
    },
  ): Promise<void>;
}

/** Asks other hosts, never internal ones unless the settings allow them. */
export interface OutgoingGuard {
  /** Throws for a host that may not be asked, by its name or by where the name leads. @throws RegistryError `invalid_request` */
  check(host: string): Promise<void>;
  send(url: string, init?: RequestInit): Promise<Response>;
}

/** How a repository of another registry is reached. */
export interface UpstreamAddress {
  /** With the port where one is given. */
  readonly host: string;
  readonly path: string;
  /** Requests are anonymous where absent. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Whether it has to have TLS with a certificate that can be trusted. */
  readonly verifiesTls: boolean;
  /** The proxy of the installation where absent. */
  readonly proxy?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
  /** Whether a client waits for what is asked: a failure is then told within seconds, and not tried again for minutes. */
  readonly isWaitedFor?: boolean;
}

/** Another registry limits how often it is asked. */
export class UpstreamLimited extends ScanError {
  /** For how long it is not to be asked; undefined where it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { readonly retryAfterSeconds: number | undefined; readonly cause?: unknown }) {
    super("source_unreachable", message, { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A manifest of another registry; its bytes have its digest. */
export interface UpstreamManifest {
  readonly digest: Digest;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A repository of another registry. Every failure of it is a ScanError; where it limits how often it is asked, an {@link UpstreamLimited}. */
export interface UpstreamRepository extends AsyncDisposable {
  listTags(signal?: AbortSignal): Promise<readonly string[]>;
  /** The digest that a tag leads to; undefined where there is no such tag. */
  findDigest(tag: string, signal?: AbortSignal): Promise<Digest | undefined>;
  /** A manifest by tag or digest. */
  fetchManifest(reference: string, signal?: AbortSignal): Promise<UpstreamManifest>;
  /** So many bytes of a blob; their digest is for the caller to check. */
  openBlob(blob: { readonly digest: Digest; readonly sizeBytes: number }, signal?: AbortSignal): Bytes;
  /** The manifests that refer to another; none where the registry does not tell. */
  listReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly Digest[]>;
}

/** The catalog of another registry. Every failure of it is a ScanError. */
export interface UpstreamCatalog extends AsyncDisposable {
  listRepositories(signal?: AbortSignal): Promise<readonly string[]>;
}

/** Opens other registries: none at internal addresses, unless the settings allow them. */
export interface Upstreams {
  open(address: UpstreamAddress): Promise<UpstreamRepository>;
  openCatalog(address: Omit<UpstreamAddress, "path">): Promise<UpstreamCatalog>;
}

/** The state of an image's scan, and its result. */
export type ScanOutcome =
  | { readonly status: "queued" }
  | { readonly status: "failed"; readonly reason: string }
  | {
      readonly status: "scanned";
      readonly report: VulnerabilityReportJson;
      readonly coverage: Coverage;
      /** The feeds that its packages were matched with; absent where the scanner does not tell. */
      readonly feeds?: readonly ImageFeed[];
    };

/** Whether advisories for an ecosystem of an image were loaded. */
export interface ImageFeed {
  readonly ecosystem: string;
  readonly isCovered: boolean;
  /** When it was last found to be up to date, ISO 8601. */
  readonly checkedAt?: string;
  /** It was not checked for longer than the settings allow. */
  readonly isOutdated: boolean;
}

/** A feed that is loaded. */
export interface LoadedFeed {
  readonly name: string;
  /** Whether it brings advisories, or facts about vulnerabilities. */
  readonly kind: "vulnerability" | "enrichment";
  /** Its advisories or facts that hold now. */
  readonly rows: number;
  /** How many of its records could not be used. */
  readonly dropped: number;
  /** When it last brought something new, in epoch milliseconds. */
  readonly changedAt: number;
  /** When it was last found to be up to date, in epoch milliseconds. */
  readonly checkedAt: number;
  /** It was not checked for longer than the settings allow. */
  readonly isOutdated: boolean;
}

/** An image whose layers the registry has. */
export interface ScannableImage {
  readonly digest: Digest;
  /** Base first. */
  readonly layers: readonly { readonly digest: Digest; readonly mediaType: string }[];
}

/** A scanner of images, in this process or another. */
export interface ImageScanner {
  /** Changes exactly when images have to be read again. Throws when the scanner cannot be asked. */
  state(options?: { readonly signal?: AbortSignal }): Promise<string>;
  /** Reads an image, unless it was read before as it would be now. Throws when that fails; `code` says why (ScanError). */
  index(image: ScannableImage, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Queued while the scanner has no report of that image. Throws when the scanner cannot be asked. */
  find(image: ScannableImage, options?: { readonly signal?: AbortSignal }): Promise<ScanOutcome>;
  /** Forgets all it knows of images that no repository has; where absent, reports stay forever. Throws when it cannot be asked. */
  forget?(digests: readonly Digest[], options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Some of the images that it knows, in the order of their digests, from behind `after` on; none when there are no more. Absent where
   * others use the scanner too: what they have read is not the registry's to forget. Throws when it cannot be asked.
   */
  list?(after: string, options?: { readonly signal?: AbortSignal }): Promise<readonly Digest[]>;
  /** The feeds that are loaded, by name; absent where the scanner does not tell. Throws when it cannot be asked. */
  feeds?(): Promise<readonly LoadedFeed[]>;
}

/** A format of other tools in which reports are written. */
export type ReportFormat = "sarif" | "cyclonedx" | "spdx" | "csv";

/** Writes reports in the formats of other tools. */
export interface ReportWriter {
  write(image: {
    readonly report: VulnerabilityReportJson;
    /** `NAMESPACE/NAME@DIGEST` */
    readonly reference: string;
    readonly format: ReportFormat;
    /** Epoch milliseconds: what the document says of its making. */
    readonly createdAt: number;
  }): string;
}

/** A name and a secret of the registry itself. */
export interface BuilderCredentials {
  readonly username: string;
  readonly password: string;
}

/** An image that is to be built and pushed. */
export interface BuildOrder {
  /** A tar archive, compressed with gzip or not. */
  readonly archive: AsyncIterable<Uint8Array>;
  /** Path in the archive, beginning with a slash. */
  readonly dockerfilePath: string;
  /** The folder of the archive that the Dockerfile copies from, beginning with a slash. */
  readonly context: string;
  readonly arguments: Readonly<Record<string, string>>;
  /** Epoch milliseconds: when the image says that it was created, so that a repeated build makes the same image. */
  readonly createdAt: number;
  /** Where the registry is found. */
  readonly registry: { readonly scheme: "http" | "https"; readonly host: string };
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  readonly tags: readonly string[];
  /** What images of this registry are pulled with. */
  readonly pull: BuilderCredentials;
  readonly push: BuilderCredentials;
}

/** What a builder reports while it works. */
export type BuildProgress =
  | { readonly kind: "phase"; readonly phase: "unpacking" | "pulling" | "building" | "pushing" }
  | { readonly kind: "output"; readonly lines: readonly string[] }
  | { readonly kind: "pushed"; readonly digest: string };

/** Builds images and pushes them. */
export interface ImageBuilder {
  /**
   * Builds an image. What was started ends within a second of the signal's abortion, and nothing is left behind.
   * @throws BuildError for what no further attempt would change
   */
  build(order: BuildOrder, options: { readonly signal: AbortSignal }): AsyncIterable<BuildProgress>;
}

/** Reads git repositories. */
export interface GitArchives {
  /**
   * The files of a commit, without submodules, as a tar archive. What was started ends with the signal, and nothing is left behind.
   * @param source.url `https:`, without credentials; its host may be asked
   * @throws BuildError for a repository or a reference that cannot be read
   */
  open(
    source: { readonly url: string; readonly ref: string },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<Uint8Array>;
}

/** An image cannot be built as it is described. The message is for those who asked for it. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** What the registry takes from outside. What is absent is not offered. */
export interface Ports {
  readonly clock: Clock;
  readonly outgoing: OutgoingGuard;
  /** Where absent, the runs of mirrors fail and say why. */
  readonly upstreams?: Upstreams;
  readonly mailer?: Mailer;
  readonly directory?: Directory;
  /** Services that users sign in with besides, each with a name of its own. */
  readonly identityProviders?: readonly IdentityProvider[];
  /** Stores the blobs that images are made of. */
  readonly blobs?: BlobStore;
  readonly imageScanner?: ImageScanner;
  /** Where absent, reports cannot be downloaded in other formats. */
  readonly reportWriter?: ReportWriter;
  /** Where absent, no image can be built. */
  readonly imageBuilder?: ImageBuilder;
  /** Where absent, no image can be built from a git repository. */
  readonly gitArchives?: GitArchives;
}

/** The bytes from `first` to `last`, both included, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** How bytes are added to an upload. */
export interface AppendOptions {
  /** How many bytes the upload may have then. */
  readonly maxBytes: number;
  /** What the digest will be of, where that is known: saves a reading. sha256 where absent. */
  readonly algorithm?: DigestAlgorithm;
  /** Told of chunks that the store has no use for any more, so that their memory can be used again. Stores need not tell. */
  readonly onWritten?: (chunk: Uint8Array) => void;
}

/**
 * Keeps blobs by their digest, and uploads until they become blobs. What is not committed is not seen as a blob. Errors are
 * {@link BlobStoreError}s.
 */
export interface BlobStore {
  /** The size of a blob in bytes; undefined where there is none. */
  find(digest: Digest): Promise<number | undefined>;
  /**
   * The bytes of a blob, or of a range inside it.
   * @param use `once`: each chunk is done with before the next is asked for, so its memory may be used again
   * @throws BlobStoreError `not_found` at the first read
   */
  read(digest: Digest, range?: ByteRange, use?: "once"): AsyncIterable<Uint8Array>;
  /** An address at which a client may fetch the blob itself for a few minutes; undefined where blobs come through the registry. */
  findAddress(digest: Digest): Promise<string | undefined>;
  /** Removes a blob, if it is there. */
  delete(digest: Digest): Promise<void>;

  /** How many bytes of an upload are kept. */
  countReceived(uploadId: string): Promise<number>;
  /**
   * Adds bytes to the end of an upload. When the source fails, what came before is kept and its error thrown. Several chunks of
   * the source are held at a time: it must not use one twice.
   * @param offset how many bytes there are already
   * @returns how many there are then
   * @throws BlobStoreError `wrong_offset` when there are more or fewer, or another request added some meanwhile; `too_large`; `full`
   */
  append(uploadId: string, offset: number, source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<number>;
  /**
   * Makes an upload a blob, as a whole or not at all, and kept through a power failure. The upload stays until it is deleted, so
   * that this can be done again.
   * @returns the size in bytes
   * @throws BlobStoreError `wrong_digest`, `full`
   */
  commit(uploadId: string, digest: Digest): Promise<number>;
  /** Removes an upload, if it is there. */
  deleteUpload(uploadId: string): Promise<void>;
  /** The uploads of which something is kept. */
  listUploads(): AsyncIterable<string>;
  /** Removes what commits left behind whose processes died, if they began before an instant. Absent where none leave anything. */
  removeRemains?(before: number): Promise<void>;
}

/** What a blob store refuses. */
export type BlobStoreErrorCode = "not_found" | "wrong_offset" | "wrong_digest" | "too_large" | "unavailable" | "full";

/** After how many seconds a client is told to try again while a blob store is `unavailable`. */
export const blobStoreRetrySeconds = 5;

/** A blob store could not do what was asked. */
export class BlobStoreError extends Error {
  override readonly name = "BlobStoreError";
  readonly code: BlobStoreErrorCode;

  constructor(code: BlobStoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
