import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { type Bytes, ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { findArtifact, openJavaIndex, replaceJavaIndex } from "@plimsoll/indexer";
import { createFeedReader, type FeedReaderOptions } from "@plimsoll/matcher";
import type { RegistryUse } from "./database-artifact.ts";
import { writeDatabase } from "./write-database.ts";

/** The name of the feed. */
export const javaIndexFeed = "java-index";

/** The type of the artifact in which the index of other scanners is published, and of its only file. */
const artifactType = "application/vnd.aquasec.trivy.config.v1+json";
const fileType = "application/vnd.aquasec.trivy.javadb.layer.v1.tar+gzip";

/** Options of {@link updateJavaIndex}. */
export interface JavaIndexOptions extends Pick<FeedReaderOptions, "offline" | "proxy" | "signal" | "onBytes"> {
  /**
   * `registry:REFERENCE` of an artifact, or a file or an address (`http(s)://`, `file://`) of the index: the database itself, compressed by
   * gzip or not, also in a tar archive.
   */
  readonly location: string;
  /** The file of the index. It is replaced as soon as the new one is complete. */
  readonly file: string;
  readonly registry?: RegistryUse;
  readonly clock: { now(): number };
}

/** The index of Java archives in a file. */
export interface JavaIndexStatus {
  readonly file: string;
  readonly sizeBytes: number;
  /** The number of archives in it; absent if it is damaged. */
  readonly archives?: number;
  /** Absent if the file was not fetched by an update. */
  readonly source?: JavaIndexSource;
}

/** Where an index is from, stored beside it. */
export interface JavaIndexSource {
  readonly location: string;
  /** Identifies the state of the source. */
  readonly validator: string;
  readonly changedAt: number;
  readonly checkedAt: number;
}

/** The result of an update. */
export interface JavaIndexUpdate {
  readonly kind: "unchanged" | "updated";
  readonly sizeBytes: number;
  /** The number of archives in the index. */
  readonly archives: number;
}

/**
 * Fetches the index of published Java archives into a file.
 * @throws ScanError of the registry or the feed; `malformed_feed` if it is not such an index, or has no archives and the earlier one has some
 * @example
 * const clock = { now: () => Date.now() };
 * await updateJavaIndex({ location: "registry:registry.example.com/java-index:1", file: "java-index.db", clock });
 */
export async function updateJavaIndex(options: JavaIndexOptions): Promise<JavaIndexUpdate> {
  const { file, location, clock } = options;
  const known = await findJavaIndex(file);
  const previous = known?.source?.location === location ? known.source : undefined;
  await using found = await openSource(options, previous?.validator);
  if (found.bytes === undefined) {
    if (previous !== undefined) await writeSource(file, { ...previous, checkedAt: clock.now() });
    return { kind: "unchanged", sizeBytes: known?.sizeBytes ?? 0, archives: known?.archives ?? 0 };
  }
  const archives = await replaceFile(file, location, found.bytes);
  const at = clock.now();
  await writeSource(file, { location, validator: found.validator, changedAt: at, checkedAt: at });
  return { kind: "updated", sizeBytes: (await stat(file)).size, archives };
}

/**
 * The index in a file; undefined if there is none.
 * @example
 * const changedAt = (await findJavaIndex("java-index.db"))?.source?.changedAt;
 */
export async function findJavaIndex(file: string): Promise<JavaIndexStatus | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const source = await readSource(file);
  return { file, sizeBytes: found.size, archives: findArchives(file), source };
}

function findArchives(file: string): number | undefined {
  try {
    using index = openJavaIndex(file);
    return index.archives;
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

interface FoundSource extends AsyncDisposable {
  readonly validator: string;
  /** Undefined if the source is in the previous state. */
  readonly bytes?: Bytes;
}

async function openSource(options: JavaIndexOptions, previous: string | undefined): Promise<FoundSource> {
  const { location, registry, signal, offline, proxy, onBytes } = options;
  if (location.startsWith("registry:")) {
    const artifact = await findArtifact(location.slice("registry:".length), artifactType, {
      ...registry,
      ...(signal && { signal }),
    });
    const { digest: validator, mediaType } = artifact;
    const close = { validator, [Symbol.asyncDispose]: () => artifact[Symbol.asyncDispose]() };
    if (validator === previous) return close;
    if (mediaType === fileType) return { ...close, bytes: artifact.open() };
    await artifact[Symbol.asyncDispose]();
    throw new ScanError("malformed_feed", `${location}: expected a file of the type ${fileType}, found ${mediaType}`);
  }
  const reader = createFeedReader({
    location,
    offline,
    proxy,
    signal,
    onBytes,
  });
  const close = { [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose]() };
  try {
    const feed = await reader.open(undefined, previous);
    if (feed.kind === "unchanged") return { ...close, validator: previous ?? "" };
    if (feed.kind === "document") return { ...close, validator: feed.validator, bytes: feed.stream() };
    const database = feed.names.find((name) => name.endsWith(".db"));
    const advice =
      database === undefined
        ? "build an index of the archives in it with db java-index build"
        : `name the index in it: ${feed.location}/${database}`;
    throw new ScanError("malformed_feed", `${feed.location} is a folder: ${advice}`);
  } catch (error) {
    await close[Symbol.asyncDispose]();
    throw error;
  }
}

async function replaceFile(file: string, location: string, bytes: Bytes): Promise<number> {
  const unfinished = `${file}.unfinished`;
  try {
    await writeDatabase(unfinished, bytes, withoutCredentials(location));
    return replaceJavaIndex(unfinished, file, withoutCredentials(location));
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof ScanError) throw error;
    throw new ScanError("feed_unreachable", fileProblem(file, "written", error), { cause: error });
  }
}

function sourceFile(file: string): string {
  return `${file}.json`;
}

async function writeSource(file: string, source: JavaIndexSource): Promise<void> {
  await writeFile(sourceFile(file), `${JSON.stringify(source)}\n`);
}

async function readSource(file: string): Promise<JavaIndexSource | undefined> {
  try {
    const found = JSON.parse(await readFile(sourceFile(file), "utf8")) as Partial<
      Record<keyof JavaIndexSource, unknown>
    >;
    const { location, validator, changedAt, checkedAt } = found;
    if (typeof location !== "string" || typeof validator !== "string") return undefined;
    if (typeof changedAt !== "number" || typeof checkedAt !== "number") return undefined;
    return { location, validator, changedAt, checkedAt };
  } catch {
    return undefined; // fetched by other means
  }
}
