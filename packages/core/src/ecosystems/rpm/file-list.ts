import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { headerNumbers, headerStrings, type RpmHeader } from "./header.ts";
import { rpmTags } from "./tags.ts";

/** The largest length of a folder or file name; Linux allows no longer path. */
const maxNameLength = 4096;

/**
 * Reads the paths that a package owns, without a leading slash as in layers. Path i is
 * `dirnames[dirindexes[i]] + basenames[i]`; rpm 3 and older stored whole paths.
 * @throws ScanError `malformed_package_db` if the lists do not fit together
 */
export function* readFileList(header: RpmHeader): Generator<string> {
  const baseNames = headerStrings(header, rpmTags.baseNames);
  if (baseNames === undefined) {
    for (const path of headerStrings(header, rpmTags.oldFilenames) ?? []) yield layerPath("", path);
    return;
  }
  const folders = headerStrings(header, rpmTags.dirNames) ?? [];
  const indexes = headerNumbers(header, rpmTags.dirIndexes) ?? [];
  if (indexes.length !== baseNames.length) {
    throw malformedPackageDb(`expected a folder for each of ${baseNames.length} files, found ${indexes.length}`);
  }
  for (const [position, index] of indexes.entries()) {
    const folder = folders[index];
    if (folder === undefined)
      throw malformedPackageDb(`expected one of ${folders.length} folders, found index ${index}`);
    yield layerPath(folder, baseNames[position] ?? "");
  }
}

function layerPath(folder: string, name: string): string {
  if (folder.length > maxNameLength || name.length > maxNameLength) {
    throw malformedPackageDb(`expected names of at most ${maxNameLength} characters`);
  }
  return `${folder}${name}`.replace(/^\/+/, "");
}
