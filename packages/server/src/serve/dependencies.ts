import { type Digest, parseDigest } from "@plimsoll/core";
import type { BlobStore } from "@plimsoll/registry-api";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { canConnect } from "../health/can-connect.ts";
import type { Dependency } from "../health/readiness.ts";
import type { WritesRefused } from "./open-database.ts";
import type { Outage } from "./outages.ts";
import type { Outages } from "./service-parts.ts";
import { trustedFetch } from "./trusted-fetch.ts";

/** What readiness asks. */
export interface DependencyParts {
  readonly settings: ServiceSettings;
  /** Asks the database something small. */
  readonly checkDatabase: () => Promise<unknown>;
  readonly writes: WritesRefused;
  /** Absent where the process serves no registry. */
  readonly blobs?: BlobStore | undefined;
  readonly outages: Outages;
  readonly clock: { now(): number };
}

/** A digest of no blob: whether there is one is asked to learn whether the store answers. */
const noBlob: Digest = parseDigest(`sha256:${"0".repeat(64)}`);

/**
 * What the process depends on. Without the database and the blobs no request is answered; without the others, some are: pulls and
 * sign-ins go on while the database takes no changes.
 */
export function dependenciesOf(parts: DependencyParts): readonly Dependency[] {
  const { settings, checkDatabase, writes, blobs, outages } = parts;
  const isMatcher = hasMode(settings, "matcher") && !hasMode(settings, "indexer");
  return [
    { name: "database", isNeeded: true, check: checkDatabase },
    { name: "database writes", isNeeded: false, check: async () => throwReason(writes.reason) },
    ...(blobs === undefined ? [] : [{ name: "blobs", isNeeded: true, check: () => blobs.find(noBlob) }]),
    ...remoteOf("indexer", { addresses: settings.indexerAddress, isNeeded: isMatcher }),
    ...remoteOf("matcher", { addresses: settings.matcherAddress, isNeeded: false }),
    ...(settings.notifications === undefined
      ? []
      : [{ name: "notifications", isNeeded: false, check: async () => throwReason(outages.notifications.reason) }]),
    ...serverOf(parts, { name: "mail", outage: outages.mail, url: settings.registry?.mail?.url }),
    ...serverOf(parts, { name: "directory", outage: outages.directory, url: settings.registry?.ldap?.url }),
    ...(settings.registry?.oidcProviders ?? []).flatMap(({ service, issuer }) =>
      serverOf(parts, {
        name: `identity provider ${service}`,
        outage: outages.identityProviders.get(service),
        url: issuer,
        isBehindProxy: settings.registry?.proxy !== undefined,
      }),
    ),
  ];
}

/** A server that the registry speaks to now and then. */
interface OtherServer {
  readonly name: string;
  readonly outage: Outage | undefined;
  /** Absent where the settings name none. */
  readonly url: string | undefined;
  /** Whether no connection without a proxy says anything of it. */
  readonly isBehindProxy?: boolean;
}

/** Whether a server can be reached, and whether it did what it was last asked for. */
function serverOf(
  { settings, clock }: DependencyParts,
  { name, outage, url, isBehindProxy = false }: OtherServer,
): readonly Dependency[] {
  const hasRegistry = hasMode(settings, "registry") || hasMode(settings, "worker");
  if (url === undefined || !hasRegistry) return [];
  const reach = canConnect(url, clock);
  const check = async (signal: AbortSignal) => {
    throwReason(outage?.reason);
    if (!isBehindProxy) await reach(signal);
  };
  return [{ name, isNeeded: false, check }];
}

function remoteOf(
  name: string,
  { addresses, isNeeded }: { readonly addresses: readonly string[] | undefined; readonly isNeeded: boolean },
): readonly Dependency[] {
  if (addresses === undefined) return [];
  return [{ name, isNeeded, check: (signal) => Promise.any(addresses.map((address) => reach(address, signal))) }];
}

/** Every server of the API has this page, for everyone. */
async function reach(address: string, signal: AbortSignal): Promise<void> {
  const response = await trustedFetch(`${address}/robots.txt`, { signal }).catch((cause: unknown) => {
    throw new Error(`${address} cannot be reached`, { cause });
  });
  await response.body?.cancel();
  if (response.status >= 500) throw new Error(`${address} answered ${response.status}`);
}

function throwReason(reason: string | undefined): void {
  if (reason !== undefined) throw new Error(reason);
}
