import {
  type Digest,
  defaultLimits,
  formatImageReference,
  type Json,
  type OpenSourceOptions,
  parseImageReference,
  parseJson,
  parseVulnerabilityReportJson,
  ScanError,
  type SourceImage,
  type VulnerabilityReport,
} from "@plimsoll/core";
import { findImages } from "@plimsoll/core/images";
import { fetchDocument } from "./fetch-document.ts";
import { connectRegistry, type RegistryConnection, type RegistryOptions } from "./from-registry.ts";
import { openRegistryStore } from "./registry-store.ts";

/** The state of an image's scan in its registry. */
export type RegistryReport =
  | { readonly kind: "queued" }
  | { readonly kind: "scanned"; readonly report: VulnerabilityReport }
  /** `status`: `failed`, `unsupported`, `manifest_layer_too_large`. */
  | { readonly kind: "unscanned"; readonly status: string; readonly reason?: string };

/** The images of a reference, and their reports in the registry. */
export interface RegistryReports extends AsyncDisposable {
  readonly images: readonly Omit<SourceImage<never>, "layers">[];
  /** @param digest the `manifestDigest` of one of the images */
  find(digest: Digest): Promise<RegistryReport>;
}

/** Options of {@link openRegistryReports}. */
export type RegistryReportsOptions = RegistryOptions &
  Pick<OpenSourceOptions<never>, "platform" | "preferredPlatform" | "signal">;

/** The largest report that is read. */
const maxReportBytes = 256 * 1024 ** 2;

/**
 * Opens the vulnerability reports of a Plimsoll registry about its image. Mirrors of the registry are not used.
 * @param reference as users write it: `registry.example.com/acme/app:1`
 * @throws ScanError `source_unreachable`, `unauthorized`, `not_found`, `no_such_platform`, `malformed_report`, `timed_out`,
 * `aborted`, `not_permitted`; `find` likewise
 * @example
 * await using reports = await openRegistryReports("registry.example.com/acme/app:1");
 */
export async function openRegistryReports(
  reference: string,
  { platform, preferredPlatform, signal, mirrors: _, ...options }: RegistryReportsOptions = {},
): Promise<RegistryReports> {
  const parsed = parseImageReference(reference);
  const connection = await connectRegistry(parsed, options);
  const { client, endpoints, retry, timeouts } = connection;
  const aborting = signal === undefined ? {} : { signal };
  await using resources = new AsyncDisposableStack();
  resources.use(client);
  const waits = { documentTimeoutMs: timeouts.documentMs, layerTimeoutMs: timeouts.layerMs };
  const store = openRegistryStore({ endpoints, retry, ...waits, ...aborting });
  const choice = {
    limits: defaultLimits,
    ...(platform && { platform }),
    ...(preferredPlatform && { preferredPlatform }),
  };
  const images = await findImages([await store.findRoot(parsed)], store, {
    choice,
    reference: formatImageReference(parsed),
  });
  const owned = resources.move();
  return {
    images,
    find: (digest) => fetchReport(connection, { digest, registry: parsed.registry, ...aborting }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface ReportRequest {
  readonly digest: Digest;
  readonly registry: string;
  readonly signal?: AbortSignal;
}

async function fetchReport(
  { endpoints, retry, timeouts }: RegistryConnection,
  { digest, registry, signal }: ReportRequest,
): Promise<RegistryReport> {
  const what = `report of ${digest}`;
  const request = {
    ...{ path: `_plimsoll/report/${digest}`, what, endpoints, retry, timeoutMs: timeouts.documentMs },
    headers: { accept: "application/json" },
    maxBytes: maxReportBytes,
    ...(signal && { signal }),
  };
  const { bytes } = await fetchDocument(request).catch((error: unknown) => explainMissing(error, registry));
  return readReport(parseJson(bytes, what, "malformed_report"), what);
}

/** Explains a 404. The image exists, so that the path is missing: it is another kind of registry, or its scanner is off. */
function explainMissing(error: unknown, registry: string): never {
  if (!(error instanceof ScanError) || error.code !== "not_found") throw error;
  const why = "it is not a Plimsoll registry, its version is too old, or its scanner is off";
  throw new ScanError("not_found", `${registry} has no reports of images: ${why}`, { cause: error });
}

function readReport(json: Json, what: string): RegistryReport {
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  const { status, reason, report = null } = (isObject ? json : {}) as { readonly [name: string]: Json };
  if (typeof status !== "string") throw new ScanError("malformed_report", `${what}: expected a status, found none`);
  if (status === "queued") return { kind: "queued" };
  if (status === "scanned") return { kind: "scanned", report: parseVulnerabilityReportJson(report) };
  return { kind: "unscanned", status, ...(typeof reason === "string" && { reason }) };
}
