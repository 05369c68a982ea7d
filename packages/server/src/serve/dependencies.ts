import { connect } from "node:net";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { discardBody } from "@plimsoll/outbound";
import type { BlobStore } from "@plimsoll/registry";
import { hasMode } from "../config/service-modes.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { Dependency } from "../health/readiness.ts";
import { serviceRequests } from "./call-service.ts";
import type { WritesRefused } from "./open-database.ts";
import type { Outage } from "./outages.ts";
import type { Outages } from "./service-parts.ts";

/** Options of {@link dependenciesOf}. */
export interface DependencyParts {
  readonly settings: ServiceSettings;
  /** Runs a small query. */
  readonly checkDatabase: () => Promise<unknown>;
  readonly writes: WritesRefused;
  /** Absent if the process serves no registry. */
  readonly blobs?: BlobStore | undefined;
  readonly outages: Outages;
  readonly clock: { now(): number };
}

/** The digest of no blob. Finding it shows whether the store answers. */
const noBlob: Digest = parseDigest(`sha256:${"0".repeat(64)}`);

/**
 * The dependencies of the process. Without the database and the blobs, no request can be answered. Without the others, some can: pulls
 * and sign-ins work while the database is read-only.
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

/** A server that the registry uses occasionally. */
interface OtherServer {
  readonly name: string;
  readonly outage: Outage | undefined;
  /** Absent if it is not configured. */
  readonly url: string | undefined;
  /** Whether it is reached through a proxy, so that a direct connection proves nothing. */
  readonly isBehindProxy?: boolean;
}

/** Checks that a server can be reached, and that the last request to it succeeded. */
function serverOf(
  { settings, clock }: DependencyParts,
  { name, outage, url, isBehindProxy = false }: OtherServer,
): readonly Dependency[] {
  const hasRegistry = hasMode(settings, "registry") || hasMode(settings, "worker");
  if (url === undefined || !hasRegistry) return [];
  const reach = connectionCheck(url, clock);
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

/** Requests a page that every API server has, without authentication. */
async function reach(address: string, signal: AbortSignal): Promise<void> {
  const response = await serviceRequests
    .send({ url: new URL(`${address}/robots.txt`), signal })
    .catch((cause: unknown) => {
      throw new Error(`${address} cannot be reached`, { cause });
    });
  await discardBody(response);
  if (response.status >= 500) throw new Error(`${address} answered ${response.status}`);
}

function throwReason(reason: string | undefined): void {
  if (reason !== undefined) throw new Error(reason);
}

/** The default ports of schemes. */
const usualPorts: Readonly<Record<string, number>> = {
  "smtp:": 587,
  "smtps:": 465,
  "ldap:": 389,
  "ldaps:": 636,
  "http:": 80,
  "https:": 443,
};

/** Opens a connection to a server and closes it, without sending anything. @param url `smtp://…`, `ldap://…` @throws system errors */
async function connectOnce(url: string, signal: AbortSignal): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: port === "" ? (usualPorts[protocol] ?? 0) : Number(port), signal });
  try {
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  } finally {
    socket.destroy();
  }
}

/** How long a successful check is valid, so that frequent probes of load balancers do not reach the server. */
const reachedMs = 30_000;

/** {@link connectOnce}, at most twice a minute while it works. */
function connectionCheck(url: string, clock: { now(): number }): (signal: AbortSignal) => Promise<void> {
  let reachedAt: number | undefined;
  return async (signal) => {
    const now = clock.now();
    if (reachedAt !== undefined && now - reachedAt < reachedMs) return;
    await connectOnce(url, signal);
    reachedAt = now;
  };
}
