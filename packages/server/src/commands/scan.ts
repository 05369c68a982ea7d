import {
  hostPlatform,
  type IndexedImage,
  type IndexOptions,
  type Platform,
  type ScannerOptions,
  type ScanReport,
} from "@plimsoll/scanner";
import type { DocumentStamp } from "@plimsoll/scanner/formats";
import { parseAsOf } from "../cli/as-of.ts";
import { dayMs } from "../cli/database-age.ts";
import { documentStamp, gitHubJobOf } from "../cli/document-stamp.ts";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import { everyFinding, parseFindingFilter } from "../cli/finding-filter.ts";
import { judgeScans } from "../cli/gate.ts";
import { indexFormats, type ScanFormat, scanFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { imageName } from "../render/image-header.ts";
import { indexRenderers } from "../render/index-results.ts";
import { scanRenderers } from "../render/scan-results.ts";
import { readAttachedStatements } from "./attached-statements.ts";
import { attestingRenderers, checkSubject, readSigningKey } from "./attestation.ts";
import { isDataMissing } from "./check-data.ts";
import { kernelRule, readStatements, stateScans } from "./stated-scans.ts";

/** The flags of `scan` alone. */
export interface ScanFlags {
  /** The day or time of the advisories, in the form of `--as-of`; by default now. */
  readonly asOf?: string;
  /** The file of the private key that signs attestations, which are then written in place of reports. */
  readonly attest?: string;
}

/**
 * `plimsoll scan SOURCE`: indexes an image, matches it against advisories, reports the findings and judges them.
 */
export async function scan(
  session: Session,
  word: string,
  { asOf: asOfText, attest }: ScanFlags = {},
): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const show = settings.show === undefined ? everyFinding : parseFindingFilter("--show", settings.show);
  const failOn = settings.failOn === undefined ? undefined : parseFindingFilter("--fail-on", settings.failOn);
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: scanFormats, several: platform === "all" });
  const key = await readSigningKey(attest, io);
  if (key !== undefined) checkAttestable(outputs, platform);
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const asOf = asOfText === undefined ? undefined : parseAsOf(asOfText, io.now());
  const source = await session.source(word);
  if (key !== undefined) checkSubject(source);
  const statements = await readStatements(session);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  if (await isDataMissing(session, scanner, failOn)) return exitCodes.database;
  const scans: ScanReport[] = [];
  const outdatedBefore = (asOf ?? io.now()) - settings.maxDbAgeDays * dayMs;
  const options = {
    ...indexOptions(session, platform),
    outdatedBefore,
    allowsNoAdvisories: true,
    asOf,
  };
  for await (const report of scanner.scanAll(source, options)) scans.push(report);
  session.progress.clear();
  const digests = scans.map(({ index }) => index.manifestDigest);
  const attached = await readAttachedStatements(session, source, digests);
  const { reports, notes: ofStatements } = stateScans(scans, statements, {
    now: io.now(),
    attached,
    ...kernelRule(session),
  });
  const view = { show, palette, several: platform === "all", now: io.now(), stamp, failOn };
  const [report] = reports;
  const documents = scanRenderers(reports, view);
  const renderers =
    key === undefined || report === undefined
      ? documents
      : attestingRenderers(documents, {
          formats: scanFormats,
          image: { name: report.reference, digest: report.index.manifestDigest },
          key,
          predicateOf: (format, document) => predicateOf(format, { document, stamp }),
        });
  await writeResults(outputs, renderers, io);
  const { strict, allowIncomplete, maxDbAgeDays } = settings;
  const { code, reasons, notes } = judgeScans(reports, { strict, allowIncomplete, maxDbAgeDays, failOn });
  for (const line of [...ofStatements, ...notes]) session.warn(line);
  for (const line of reasons) session.fail(line);
  return code;
}

/** @throws UsageError for a form that no attestation has, and for several images */
function checkAttestable(
  outputs: readonly { readonly format: ScanFormat }[],
  platform: Platform | "all" | undefined,
): void {
  if (platform === "all")
    throw new UsageError("--attest: an attestation is about one image: choose one --platform instead of all");
  const other = outputs.find(({ format }) => !predicateTypes.has(format));
  if (other !== undefined) {
    throw new UsageError(`--attest: expected -o ${[...predicateTypes.keys()].join(", ")}, found ${other.format}`);
  }
}

/** A report of vulnerabilities in the form of cosign. */
const vulnerabilityPredicate = "https://cosign.sigstore.dev/attestation/vuln/v1";

/** The types of predicates by format, as cosign has them. */
const predicateTypes: ReadonlyMap<ScanFormat, string> = new Map<ScanFormat, string>([
  ["json", vulnerabilityPredicate],
  ["sarif", vulnerabilityPredicate],
  ["cyclonedx", "https://cyclonedx.org/bom"],
  ["vex", "https://cyclonedx.org/bom"],
  ["openvex", "https://openvex.dev/ns"],
  ["spdx", "https://spdx.dev/Document"],
]);

/** @see https://github.com/sigstore/cosign/blob/main/specs/COSIGN_VULN_ATTESTATION_SPEC.md */
function predicateOf(
  format: ScanFormat,
  { document, stamp }: { readonly document: object; readonly stamp: DocumentStamp },
) {
  const predicateType = predicateTypes.get(format) ?? "";
  if (predicateType !== vulnerabilityPredicate) return { predicateType, predicate: document };
  const at = new Date(stamp.createdAt).toISOString();
  const scanner = { uri: "https://github.com/plimsoll/plimsoll", version: stamp.toolVersion, db: {}, result: document };
  return { predicateType, predicate: { invocation: {}, scanner, metadata: { scanStartedOn: at, scanFinishedOn: at } } };
}

/** `plimsoll index SOURCE`: lists what is in an image, without using advisories. */
export async function index(session: Session, word: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: indexFormats, several: platform === "all" });
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io) };
  const images = await indexImages(session, word);
  await writeResults(
    outputs,
    indexRenderers(images, { palette, several: platform === "all", now: io.now(), stamp }),
    io,
  );
  return judgeIndexing(session, images);
}

/** Indexes the images of a source, those that are chosen in the session. */
export async function indexImages(
  session: Session,
  word: string,
  options: Pick<ScannerOptions, "files"> = {},
): Promise<readonly IndexedImage[]> {
  const source = await session.source(word);
  await using scanner = await session.openToRead({ ...options, indexesAtOnce: true });
  const images: IndexedImage[] = [];
  for await (const image of scanner.indexAll(source, indexOptions(session, session.platform()))) images.push(image);
  session.progress.clear();
  return images;
}

/** Options for indexing in a session: the chosen platform; otherwise that of this machine is preferred. */
export function indexOptions(session: Session, platform: Platform | "all" | undefined): IndexOptions {
  const { progress, io } = session;
  return {
    onEvent: (event) => progress.onIndexEvent(event),
    ...(platform === undefined ? { preferredPlatform: hostPlatform() } : { platform }),
    signal: io.signal,
  };
}

/** The exit code for indexed images: with `--strict`, one that could not be read completely fails the command. */
export function judgeIndexing(session: Session, images: readonly IndexedImage[]): ExitCode {
  const partial = images.filter((image) => image.report.coverage.status === "partial");
  if (!session.settings.strict || partial.length === 0) return exitCodes.ok;
  for (const image of partial) session.fail(`--strict: ${imageName(image)} could not be read completely`);
  return exitCodes.scan;
}
