import { type Json, parseIndexReportJson, parseJson, ScanError } from "@plimsoll/core";
import { coveredIndexReportType } from "@plimsoll/http/scanner";
import type { IndexReports } from "@plimsoll/matcher";
import type { AffectedSource, UpdateSource } from "@plimsoll/notifier";

/** A service in another process, behind its API. */
export interface RemoteService {
  /** Without a slash at its end. */
  readonly address: string;
  /** Makes the token of one request; absent where the installation has no key. */
  readonly token?: () => Promise<string>;
}

/** The index reports of an indexer elsewhere. */
export function remoteIndexReports(indexer: RemoteService): IndexReports {
  return {
    async find(digest, options = {}) {
      const path = `/indexer/api/v1/index_report/${digest}`;
      const json = await ask(indexer, path, { ...options, accept: coveredIndexReportType });
      return json === undefined ? undefined : parseIndexReportJson(json);
    },
  };
}

/** The update operations of a matcher elsewhere. */
export function remoteUpdates(matcher: RemoteService): UpdateSource {
  const get = (name: string, query: Readonly<Record<string, string>>) =>
    ask(matcher, `/matcher/api/v1/internal/${name}?${new URLSearchParams(query)}`);
  return {
    updateOperations: async (query) => (await get("update_operation", query)) as never, // as the contract says
    updateDiff: async (refs) => (await get("update_diff", refs)) as never, // as the contract says
  };
}

/** The reverse look-up of an indexer elsewhere. */
export function remoteAffected(indexer: RemoteService): AffectedSource {
  const path = "/indexer/api/v1/internal/affected_manifest";
  return {
    affectedManifests: async (body, options) => (await ask(indexer, path, { ...options, body })) as never, // likewise
  };
}

interface Asking {
  readonly accept?: string;
  readonly body?: Json;
  readonly signal?: AbortSignal;
}

/** The JSON of an answer; undefined where the service knows of no such thing. @throws ScanError `source_unreachable` */
async function ask(service: RemoteService, path: string, asking: Asking = {}): Promise<Json | undefined> {
  const { address, token } = service;
  const { accept = "application/json", body, signal } = asking;
  const response = await fetch(`${address}${path}`, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: {
      accept,
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${await token()}` }),
    },
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    throw new ScanError("source_unreachable", `the service at ${address} cannot be reached`, { cause });
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status === 404) return undefined;
  if (!response.ok) {
    throw new ScanError("source_unreachable", `the service at ${address} answered ${response.status} to ${path}`);
  }
  return parseJson(bytes, path, "malformed_report");
}
