import { stat } from "node:fs/promises";
import { fileProblem } from "@plimsoll/core/internal";
import type { RefusedAddress } from "@plimsoll/outbound";
import {
  type BlobStore,
  deriveKey,
  type Features,
  type IdentityProvider,
  type ImageScanner,
  type LargeImages,
  type Ports,
  type RegistryStore,
} from "@plimsoll/registry";
import { findBuildah, findGit } from "@plimsoll/registry-adapters/builds";
import { createFileBlobStore, readSecretKey } from "@plimsoll/registry-adapters/files";
import { openSmtpMailer } from "@plimsoll/registry-adapters/mail";
import { federatedTokens } from "@plimsoll/registry-adapters/oidc";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { awsCredentials, createS3BlobStore, rememberCredentials } from "@plimsoll/registry-adapters/s3";
import {
  createRegistry,
  guardFolder,
  type LayerObserver,
  type OpenedRegistry,
  parseSigningKey,
  signingKeyForm,
} from "@plimsoll/registry-api";
import type { Logger } from "pino";
import { UsageError } from "../cli/exit-code.ts";
import { readGivenFile } from "../config/read-given-file.ts";
import type { RegistryServiceSettings } from "../config/registry-settings.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { WorkFigures } from "../metrics/work-figures.ts";
import type { Outages } from "../serve/service-parts.ts";
import {
  type BlobOutages,
  watchedBlobs,
  watchedDirectory,
  watchedMailer,
  watchedProvider,
} from "../serve/watched-ports.ts";
import { type BlobLayers, blobLayers } from "./layer-observer.ts";
import { openDirectory, openIdentityProviders } from "./open-identities.ts";
import { gitProxy, openOutgoing } from "./outgoing.ts";
import { createReportWriter } from "./report-writer.ts";
import { guardedBaseImages, guardedUpstreams } from "./upstreams.ts";

/** The part of a registry that every process of its installation has. */
export interface RegistryStorage {
  readonly blobs: BlobStore;
  readonly key: Uint8Array;
  /** Layers of the blob store, for the indexer. */
  readonly layers: BlobLayers;
}

/** Options of {@link openRegistryStorage}. */
interface StorageOptions {
  /** The database whose blobs the store should have: the store is unavailable if its folder is away. Absent while it is filled. */
  readonly store?: Pick<RegistryStore, "db">;
  /** Records whether the store can be used. */
  readonly outages?: BlobOutages;
}

/** Opens the blob store of the registry, and creates the key of an installation that has none. @throws UsageError, system errors */
export async function openRegistryStorage(
  registry: RegistryServiceSettings,
  options: StorageOptions = {},
): Promise<RegistryStorage> {
  const blobs = await openRegistryBlobs(registry, options);
  const key = registry.secretKey ?? (await readKey(registry.secretFile));
  return { blobs, key, layers: blobLayers(blobs, deriveKey(key, "layers for the indexer")) };
}

/** Reads or creates the installation's key. @throws UsageError if the file has no key, or can neither be read nor created */
async function readKey(file: string): Promise<Uint8Array> {
  try {
    return await readSecretKey(file);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw new UsageError(`the key of the registry, ${fileProblem(file, "written", error)}`, { cause: error });
  }
}

/** Opens the blob store of the registry. It creates nothing. @throws UsageError, system errors */
export async function openRegistryBlobs(
  registry: RegistryServiceSettings,
  { store, outages }: StorageOptions = {},
): Promise<BlobStore> {
  if (registry.storage.kind === "files") await checkFolder(registry.storage.folder);
  const unguarded = openBlobs(registry);
  const opened = store === undefined ? unguarded : guardFolder(unguarded, store);
  return outages === undefined ? opened : watchedBlobs(opened, outages);
}

/** The parts of the registry of a process. */
interface RegistryParts extends RegistryStorage {
  readonly store: RegistryStore;
  readonly registry: RegistryServiceSettings;
  /** Default: none of them. */
  readonly settings?: Partial<Pick<ServiceSettings, "sbomAuthor" | "sbomSupplier">>;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** The host of the registry if no setting names one. Called at every use, because the system may choose the port. */
  readonly listensAt: () => string;
  /** Reads layers while they are pushed. */
  readonly observer: LayerObserver;
  /** Absent if this process can use no scanner. */
  readonly scanner?: ImageScanner;
  readonly largeImages?: LargeImages;
  readonly outages: Pick<Outages, "mail" | "directory" | "identityProviders">;
  readonly figures: Pick<WorkFigures, "noteCollected" | "noteDamaged">;
}

/** Opens the registry of this process; disposing `resources` closes its connections. */
export async function openRegistry(parts: RegistryParts, resources: AsyncDisposableStack): Promise<OpenedRegistry> {
  const { store, registry, blobs, key, observer } = parts;
  const { host, ...settings } = registry.settings;
  return createRegistry({
    store,
    key,
    blobs,
    settings: {
      ...settings,
      mirrorSignatureKeys: await readSignatureKeys(registry.mirrorSignatureKeyFiles ?? []),
      get host() {
        return host ?? parts.listensAt();
      },
    },
    ports: await openPorts(parts, resources),
    observer,
    onCollected: (item) => parts.figures.noteCollected(item),
    onDamaged: ({ digest, sizeBytes, fault, problem }) => {
      parts.logger.error({ digest, sizeBytes, fault, problem }, "blob_damaged");
      parts.figures.noteDamaged(fault);
    },
    onHealed: ({ digest, sizeBytes }) => parts.logger.info({ digest, sizeBytes }, "blob_healed"),
  });
}

async function openPorts(
  { settings, registry, logger, clock, scanner, largeImages, outages }: RegistryParts,
  resources: AsyncDisposableStack,
): Promise<Partial<Ports>> {
  const { allowedInternalHosts } = registry.settings;
  const onRefused = (refused: RefusedAddress) => logger.warn(refused, "outgoing_address_refused");
  const { mail, ldap, imageBuilds } = registry;
  const asking = { allowedInternalHosts, onRefused, proxy: registry.proxy };
  const building = wantsBuilds(registry.settings.features) ? imageBuilds : undefined;
  const imageBuilder = building && findBuildah({ ...building, baseImages: guardedBaseImages(asking) });
  const gitArchives = building && findGit({ ...building, openProxy: gitProxy(asking) });
  const requests = resources.use(openOutgoing(asking));
  return {
    clock,
    outgoing: createOutgoing(requests),
    federatedTokens: federatedTokens({ ask: (url, init) => requests.send(url, init) }),
    upstreams: guardedUpstreams(asking),
    imageScanner: scanner,
    largeImages,
    reportWriter: createReportWriter(settings),
    settingsInForce: registry.inForce,
    imageBuilder,
    gitArchives,
    mailer: mail && watchedMailer(resources.use(openSmtpMailer(mail)), outages.mail),
    identityProviders: watchedProviders(
      await openIdentityProviders(registry.oidcProviders ?? [], asking, resources),
      outages,
    ),
    directory: ldap && watchedDirectory(await openDirectory(ldap), outages.directory),
  };
}

function watchedProviders(
  providers: readonly IdentityProvider[],
  { identityProviders }: Pick<Outages, "identityProviders">,
): readonly IdentityProvider[] {
  return providers.map((provider) => {
    const outage = identityProviders.get(provider.service);
    return outage === undefined ? provider : watchedProvider(provider, outage);
  });
}

/** How long the signed address of a blob is valid after a redirect. */
const redirectSeconds = 300;

/** Rejects only a path that is a file: a missing folder is created when needed, and an unreachable one may come back. */
async function checkFolder(folder: string): Promise<void> {
  const canBe = await stat(folder).then(
    (found) => found.isDirectory(),
    ({ code }: NodeJS.ErrnoException) => code !== "ENOTDIR",
  );
  if (!canBe) throw new UsageError(`storage: ${folder}: expected a folder, found a file`);
}

function openBlobs({ storage, proxy }: RegistryServiceSettings): BlobStore {
  if (storage.kind === "files") return createFileBlobStore(storage.folder);
  const { kind: _, redirect, prefix, credentials, environment, ...place } = storage;
  const source = rememberCredentials(awsCredentials(environment, place.region), Date.now);
  return createS3BlobStore({
    ...place,
    ...(credentials ?? { credentials: source }),
    proxy,
    prefix: prefix !== "" ? `${prefix}/` : undefined,
    redirectSeconds: redirect ? redirectSeconds : undefined,
  });
}

/**
 * Whether images are built if a builder is installed. The default is true only if visitors cannot create accounts, because a Dockerfile
 * runs commands on this machine.
 */
export function wantsBuilds({
  builds,
  userCreation,
}: Pick<Features, "userCreation"> & Partial<Pick<Features, "builds">>): boolean {
  return builds ?? !userCreation;
}

/** The public keys in files, in PEM. @throws UsageError for a file that cannot be read or holds no such key */
export function readSignatureKeys(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(readSignatureKey));
}

async function readSignatureKey(file: string): Promise<string> {
  const text = await readGivenFile("mirrorSignatureKeys", file);
  try {
    parseSigningKey(text);
    return text;
  } catch (error) {
    const message = `mirrorSignatureKeys: ${file}: expected ${signingKeyForm}`;
    throw new UsageError(message, { cause: error });
  }
}
