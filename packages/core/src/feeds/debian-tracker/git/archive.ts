import { compare as compareVersions } from "../../../ecosystems/dpkg/version.ts";
import type { FeedFile } from "../../shared/feed-files.ts";
import { textLines } from "../../shared/text-lines.ts";

/** The newest version of each source package in the archive, by release; security updates included. */
export type ArchiveVersions = ReadonlyMap<string, ReadonlyMap<string, string>>;

const sourcesName = /(?:^|\/)(?:updates-)?source\/([a-z]+)\/[\w-]+\/Sources$/;

/**
 * Reads the indices of source packages in a folder: `source/RELEASE/AREA/Sources`, and `updates-source/RELEASE/AREA/Sources` for security updates.
 * @throws ScanError `malformed_feed` for an index that is not text
 */
export async function readArchive(files: readonly FeedFile[]): Promise<ArchiveVersions> {
  const archive = new Map<string, Map<string, string>>();
  for (const file of files) {
    const release = sourcesName.exec(file.name)?.[1];
    if (release === undefined) continue;
    const versions = archive.get(release) ?? new Map<string, string>();
    archive.set(release, versions);
    for await (const [source, version] of sourcesOf(file)) {
      const known = versions.get(source);
      if (known === undefined || isOlder(known, version)) versions.set(source, version);
    }
  }
  return archive;
}

async function* sourcesOf({ stream, location }: FeedFile): AsyncGenerator<readonly [source: string, version: string]> {
  let source: string | undefined;
  for await (const line of textLines(stream(), location)) {
    if (line === "") source = undefined;
    else if (line.startsWith("Package: ")) source = line.slice("Package: ".length).trim();
    else if (source !== undefined && line.startsWith("Version: "))
      yield [source, line.slice("Version: ".length).trim()];
  }
}

/** Whether a file lists the sources of a release. */
export function isSources(name: string): boolean {
  return sourcesName.test(name);
}

/** Whether a version is lower than another in dpkg's order; false where one of them is not valid. */
export function isOlder(version: string, than: string): boolean {
  try {
    return compareVersions(version, than) < 0;
  } catch {
    return false;
  }
}
