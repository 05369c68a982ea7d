import { type Digest, parseDigest } from "@plimsoll/core";
import type { BlobStore } from "@plimsoll/registry-api";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { Dependency } from "../health/readiness.ts";
import type { Outages } from "./open-services.ts";

/** What readiness asks. */
export interface DependencyParts {
  readonly settings: ServiceSettings;
  /** Asks the database something small. */
  readonly checkDatabase: () => Promise<unknown>;
  /** Absent where the process serves no registry. */
  readonly blobs?: BlobStore | undefined;
  readonly outages: Outages;
}

/** A digest of no blob: whether there is one is asked to learn whether the store answers. */
const noBlob: Digest = parseDigest(`sha256:${"0".repeat(64)}`);

/** What the process depends on. Without the database and the blobs no request is answered; without the others, some are. */
export function dependenciesOf({ settings, checkDatabase, blobs, outages }: DependencyParts): readonly Dependency[] {
  const isMatcher = hasMode(settings, "matcher") && !hasMode(settings, "indexer");
  return [
    { name: "database", isNeeded: true, check: checkDatabase },
    ...(blobs === undefined ? [] : [{ name: "blobs", isNeeded: true, check: () => blobs.find(noBlob) }]),
    ...remoteOf("indexer", settings.indexerAddress, isMatcher),
    ...remoteOf("matcher", settings.matcherAddress, false),
    ...(settings.notifications === undefined
      ? []
      : [{ name: "notifications", isNeeded: false, check: async () => throwReason(outages.notifications.reason) }]),
  ];
}

function remoteOf(name: string, addresses: readonly string[] | undefined, isNeeded: boolean): readonly Dependency[] {
  if (addresses === undefined) return [];
  return [{ name, isNeeded, check: (signal) => Promise.any(addresses.map((address) => reach(address, signal))) }];
}

/** Every server of the API has this page, for everyone. */
async function reach(address: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${address}/robots.txt`, { signal }).catch((cause: unknown) => {
    throw new Error(`${address} cannot be reached`, { cause });
  });
  await response.body?.cancel();
  if (response.status >= 500) throw new Error(`${address} answered ${response.status}`);
}

function throwReason(reason: string | undefined): void {
  if (reason !== undefined) throw new Error(reason);
}
