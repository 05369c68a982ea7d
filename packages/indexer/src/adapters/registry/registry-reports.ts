import { defaultLimits, ScanError, type VulnerabilityReport } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { formatImageReference, parseImageReference } from "@plimsoll/core/image";
import { findImages, type OpenSourceOptions, parseJson, type SourceImage } from "@plimsoll/core/internal";
import { type Json, parseVulnerabilityReportJson } from "@plimsoll/core/report";
import { fetchDocument } from "./fetch-document.ts";
import { connectRegistry, type RegistryConnection, type RegistryOptions } from "./from-registry.ts";
import { findDenial } from "./refusal.ts";
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
  /** Why the registry denies the pull of the images that it has a report of, such as the reason of its pull gate. */
  readonly denials: readonly string[];
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
  await using resources = new AsyncDisposableStack();
  resources.use(client);
  const waits = { documentTimeoutMs: timeouts.documentMs, layerTimeoutMs: timeouts.layerMs };
  const store = openRegistryStore({ endpoints, retry, ...waits, signal });
  const choice = {
    limits: defaultLimits,
    platform,
    preferredPlatform,
  };
  const formatted = formatImageReference(parsed);
  const named = parsed.digest ?? parsed.tag ?? "latest";
  const { images, denials } = await findOrDenied(
    async () => findImages([await store.findRoot(parsed)], store, { choice, reference: formatted }),
    { reference: formatted, ask: () => askForReport(connection, { named, registry: parsed.registry, signal }) },
  );
  const owned = resources.move();
  return {
    images,
    denials,
    find: async (digest) =>
      (await askForReport(connection, { named: digest, registry: parsed.registry, signal })).found,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The images; if the registry denies them, the one that its report names, and the reason. @throws ScanError if there is no such report either */
async function findOrDenied(
  find: () => Promise<RegistryReports["images"]>,
  { reference, ask }: { readonly reference: string; readonly ask: () => Promise<Answer> },
): Promise<Pick<RegistryReports, "images" | "denials">> {
  try {
    return { images: await find(), denials: [] };
  } catch (error) {
    const denial = findDenial(error);
    if (denial === undefined) throw error;
    const { digest } = await ask().catch(() => ({ digest: undefined }));
    if (digest === undefined) throw error;
    const why = denial.registryMessage ?? "it gives no reason";
    return {
      images: [{ reference, manifestDigest: digest }],
      denials: [`the registry denies the pull of ${reference}: ${why}`],
    };
  }
}

/** The digest of an image, and what is known of its scan. */
interface Answer {
  readonly digest: Digest | undefined;
  readonly found: RegistryReport;
}

interface ReportRequest {
  /** A tag or a digest. */
  readonly named: string;
  readonly registry: string;
  readonly signal?: AbortSignal;
}

async function askForReport(
  { endpoints, retry, timeouts }: RegistryConnection,
  { named, registry, signal }: ReportRequest,
): Promise<Answer> {
  const what = `report of ${named}`;
  const request = {
    ...{ path: `_plimsoll/report/${named}`, what, endpoints, retry, timeoutMs: timeouts.documentMs },
    headers: { accept: "application/json" },
    maxBytes: maxReportBytes,
    signal,
  };
  const { bytes } = await fetchDocument(request).catch((error: unknown) => explainMissing(error, registry));
  return readAnswer(parseJson(bytes, what, "malformed_report"), what);
}

/** Explains a 404. The image exists, so that the path is missing: it is another kind of registry, or its scanner is off. */
function explainMissing(error: unknown, registry: string): never {
  if (!(error instanceof ScanError) || error.code !== "not_found") throw error;
  const why = "it is not a Plimsoll registry, its version is too old, or its scanner is off";
  throw new ScanError("not_found", `${registry} has no reports of images: ${why}`, { cause: error });
}

function readAnswer(json: Json, what: string): Answer {
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  const { digest, status, ...rest } = (isObject ? json : {}) as { readonly [name: string]: Json };
  if (typeof status !== "string") throw new ScanError("malformed_report", `${what}: expected a status, found none`);
  return { digest: typeof digest === "string" ? parseDigest(digest) : undefined, found: reportOf(status, rest) };
}

function reportOf(status: string, { reason, report = null }: { readonly [name: string]: Json }): RegistryReport {
  if (status === "queued") return { kind: "queued" };
  if (status === "scanned") return { kind: "scanned", report: parseVulnerabilityReportJson(report) };
  return { kind: "unscanned", status, reason: typeof reason === "string" ? reason : undefined };
}
