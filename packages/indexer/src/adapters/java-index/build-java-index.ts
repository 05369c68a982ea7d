import { closeSync, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { ScanError } from "@plimsoll/core";
import { classDigestsOf, fileProblem, publishedAs } from "@plimsoll/core/internal";
import { createJavaIndex, type JavaIndexWriter } from "../../store/java-index-writer.ts";
import { walkRoot } from "../folder/root-walk.ts";
import { partsOf, replaceJavaIndex, sha1 } from "./open-java-index.ts";

/** The content of an index that was built. */
export interface BuiltJavaIndex {
  /** Archives in the index. */
  readonly archives: number;
  /** Archives whose coordinates are not known, and damaged ones. */
  readonly skipped: number;
  /** The paths of the first skipped archives, with the reason. */
  readonly firstSkipped: readonly string[];
}

/** Options of {@link buildJavaIndex}. */
export interface BuildJavaIndexOptions {
  /** A folder of archives: a local repository of Maven, a cache of Gradle, or any other. */
  readonly folder: string;
  /** The file of the index. An existing one is replaced as soon as the new one is complete. */
  readonly output: string;
  readonly signal?: AbortSignal;
}

const maxEntries = 20_000_000;
const shownSkipped = 10;

/**
 * Builds an index of the Java archives below a folder, in the form that other scanners publish.
 * @throws ScanError `feed_unreachable` if the folder cannot be read or the file cannot be written; `malformed_feed` if no archive was
 * identified, and the existing index has some; `aborted`
 * @example
 * const { archives } = await buildJavaIndex({ folder: "/root/.m2/repository", output: "java-index.db" });
 */
export async function buildJavaIndex({ folder, output, signal }: BuildJavaIndexOptions): Promise<BuiltJavaIndex> {
  const unfinished = `${output}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    const built = await fillIndex(unfinished, { folder, signal });
    replaceJavaIndex(unfinished, output);
    return built;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof ScanError) throw error;
    throw new ScanError("feed_unreachable", fileProblem(output, "written", error), { cause: error });
  }
}

async function fillIndex(
  path: string,
  { folder, signal }: Omit<BuildJavaIndexOptions, "output">,
): Promise<BuiltJavaIndex> {
  using index = createJavaIndex(path);
  const above = foldersAbove(folder);
  let archives = 0;
  const skipped: string[] = [];
  for await (const entry of walkRoot(folder, { limits: { maxEntries }, signal })) {
    if (entry.kind === "unreadable" && entry.path === "") {
      throw new ScanError("feed_unreachable", `the folder ${folder} cannot be read: ${entry.reason}`);
    }
    if (entry.kind !== "file" || !/\.(?:ear|jar|war)$/i.test(entry.path)) continue;
    const problem = addArchive(index, join(folder, entry.path), [...above, entry.path].join("/"));
    if (problem === undefined) archives++;
    else skipped.push(`${entry.path}: ${problem}`);
  }
  index.finish();
  return { archives, skipped: skipped.length, firstSkipped: skipped.slice(0, shownSkipped) };
}

/** Folders that only the tools make; those below them are as the tools lay them out. */
const knownFolders: ReadonlySet<string> = new Set([".gradle", ".ivy2", ".m2", "files-2.1"]);

/** The last names of the folder's path which may say that it is a repository or a cache, or a part of one. */
function foldersAbove(folder: string): readonly string[] {
  const names = resolve(folder).split(sep);
  const known = names.findLastIndex((name) => knownFolders.has(name));
  return names.slice(known === -1 ? -1 : known);
}

/** Adds the archive to the index; the reason if it cannot be added. */
function addArchive(index: JavaIndexWriter, file: string, path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const bytes = partsOf({ fd, sizeBytes: fstatSync(fd).size });
    const artifact = publishedAs({ path, bytes, pom: findPom(file) });
    if (artifact === undefined) return "group, artifact and version are not known";
    index.add(artifact, { sha1: sha1(bytes), classes: classDigestsOf({ path, bytes }) });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** More than a published one has. */
const maxPomBytes = 4 * 1024 ** 2;

/** The model beside an archive, whose name may have a classifier besides: `a-1.0-sources.jar` and `a-1.0.pom`. */
function findPom(file: string): Uint8Array | undefined {
  const name = basename(file, extname(file));
  for (let end = name.length; end > 0; end = name.lastIndexOf("-", end - 1)) {
    const path = join(dirname(file), `${name.slice(0, end)}.pom`);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true && found.size <= maxPomBytes) return readFileSync(path);
  }
  return undefined;
}
