import { setTimeout as delay } from "node:timers/promises";
import {
  type BlobStore,
  createFileBlobStore,
  createRegistry,
  ldapDirectory,
  type OpenedRegistry,
  observeLayers,
  openSmtpMailer,
  type Ports,
  type RegistryStore,
} from "@plimsoll/registry-api";
import type { Logger } from "pino";
import { UsageError } from "../cli/exit-code.ts";
import type { RegistryServiceSettings, StorageSettings } from "../config/registry-settings.ts";
import type { PushedLayers } from "./layer-observer.ts";
import { openOutgoing } from "./outgoing.ts";
import { readSecretKey } from "./secret-key.ts";

/** What the registry of a process is made of. */
export interface RegistryParts {
  readonly store: RegistryStore;
  readonly registry: RegistryServiceSettings;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** What clients call the registry where nobody has said: asked at every use, since a port may be given by the system. */
  readonly listensAt: () => string;
  /** Reads layers while they are pushed. */
  readonly pushed?: PushedLayers;
}

/** Opens the registry of this process; `resources` closes what it holds. @throws UsageError, system errors */
export async function openRegistry(parts: RegistryParts, resources: AsyncDisposableStack): Promise<OpenedRegistry> {
  const { store, registry, pushed } = parts;
  const { host, ...settings } = registry.settings;
  const key = registry.secretKey ?? (await readSecretKey(registry.secretFile));
  const sleep = (delayMs: number, signal: AbortSignal) => delay(delayMs, undefined, { signal });
  return createRegistry({
    store,
    key,
    blobs: openBlobs(registry.storage),
    settings: {
      ...settings,
      get host() {
        return host ?? parts.listensAt();
      },
    },
    ports: openPorts(parts, resources),
    ...(pushed && { observations: observeLayers({ observer: pushed.observer, sleep }) }),
  });
}

function openPorts({ registry, logger, clock }: RegistryParts, resources: AsyncDisposableStack): Ports {
  const { allowedInternalHosts } = registry.settings;
  const onRefused = (refused: object) => logger.warn(refused, "outgoing_address_refused");
  const { mail, ldap } = registry;
  return {
    clock,
    outgoing: resources.use(openOutgoing({ allowedInternalHosts, onRefused })),
    ...(mail && { mailer: resources.use(openSmtpMailer(mail)) }),
    ...(ldap && { directory: ldapDirectory(ldap) }),
  };
}

function openBlobs(storage: StorageSettings): BlobStore {
  if (storage.kind === "files") return createFileBlobStore(storage.folder);
  throw new UsageError("storage: expected a folder");
}
