import { closeSync, fstatSync, openSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { classDigestsOf, fileProblem, type PublishedArtifact, publishedAs } from "@plimsoll/core/internal";
import { createJavaIndex, type JavaIndexWriter } from "../../store/java-index-writer.ts";
import { walkRoot } from "../folder/root-walk.ts";
import { partsOf, sha1 } from "./open-java-index.ts";

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
 * @throws ScanError `source_unreachable` if the folder cannot be read or the file cannot be written, `aborted`
 * @example
 * const { archives } = await buildJavaIndex({ folder: "/root/.m2/repository", output: "java-index.db" });
 */
export async function buildJavaIndex({ folder, output, signal }: BuildJavaIndexOptions): Promise<BuiltJavaIndex> {
  const unfinished = `${output}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    const built = await fillIndex(unfinished, { folder, signal });
    await rename(unfinished, output);
    return built;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof ScanError) throw error;
    throw new ScanError("source_unreachable", fileProblem(output, "written", error), { cause: error });
  }
}

async function fillIndex(
  path: string,
  { folder, signal }: Omit<BuildJavaIndexOptions, "output">,
): Promise<BuiltJavaIndex> {
  using index = createJavaIndex(path);
  let archives = 0;
  const skipped: string[] = [];
  for await (const entry of walkRoot(folder, { limits: { maxEntries }, signal })) {
    if (entry.kind === "unreadable" && entry.path === "") {
      throw new ScanError("source_unreachable", `the folder ${folder} cannot be read: ${entry.reason}`);
    }
    if (entry.kind !== "file" || !/\.(?:ear|jar|war)$/i.test(entry.path)) continue;
    const problem = addArchive(index, folder, entry.path);
    if (problem === undefined) archives++;
    else skipped.push(`${entry.path}: ${problem}`);
  }
  index.finish();
  return { archives, skipped: skipped.length, firstSkipped: skipped.slice(0, shownSkipped) };
}

/** Adds the archive to the index; the reason if it cannot be added. */
function addArchive(index: JavaIndexWriter, folder: string, path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(join(folder, path), "r");
    const bytes = partsOf({ fd, sizeBytes: fstatSync(fd).size });
    const artifact: PublishedArtifact | undefined = publishedAs({ path, bytes });
    if (artifact === undefined) return "group, artifact and version are not known";
    index.add(artifact, { sha1: sha1(bytes), classes: classDigestsOf({ path, bytes }) });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
