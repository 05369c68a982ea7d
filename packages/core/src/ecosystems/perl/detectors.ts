import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";

/** `auto/JSON/XS/.packlist` lists the files of JSON::XS, without its version. The list of Perl itself is not in a folder `auto`. */
const [folderOfLists, packlist] = ["/auto/", "/.packlist"];
/** `.meta/JSON-XS-4.03/MYMETA.json`, the metadata that cpanminus stores for each installed distribution. */
const metadata = /(?:^|\/)\.meta\/[^/]+\/MYMETA\.json$/;
/** The largest metadata that are read. They list the modules of one distribution. */
const maxBytes = 16 * 1024 ** 2;

/**
 * Finds installed distributions of Perl modules by their lists of files. The name is that of the main module with dashes.
 * @see https://metacpan.org/pod/ExtUtils::Packlist
 */
export const packlistDetector: FileDetector = {
  name: "perl-packlist",
  revision: 1,
  names: { endings: [packlist] },
  wants: ({ path }: FileEntry) => moduleOf(path) !== undefined,
  *detect(file: LayerFile): Iterable<Finding> {
    const name = moduleOf(file.path);
    if (name !== undefined) yield provenPackage(file, { name, version: "" });
  },
};

/** `JSON-XS` of `…/auto/JSON/XS/.packlist`. */
function moduleOf(path: string): string | undefined {
  if (!path.endsWith(packlist)) return undefined;
  const folder = `/${path.slice(0, -packlist.length)}`;
  const at = folder.lastIndexOf(folderOfLists);
  const name = folder.slice(at + folderOfLists.length);
  return at < 0 || name === "" ? undefined : name.replaceAll("/", "-");
}

/**
 * Finds distributions of Perl modules that cpanminus has installed, with their versions.
 * @see https://metacpan.org/pod/CPAN::Meta::Spec
 */
export const metadataDetector: FileDetector = {
  name: "perl-metadata",
  revision: 1,
  names: { endings: ["/MYMETA.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/MYMETA.json") && metadata.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    const name = isObject(json) ? textOf(json.name) : "";
    if (!isObject(json) || name === "") {
      yield unreadable(file.path, "expected the name of a Perl distribution, found none");
      return;
    }
    const version = typeof json.version === "number" ? String(json.version) : textOf(json.version);
    yield provenPackage(file, { name: name.replaceAll("::", "-"), version });
  },
};
