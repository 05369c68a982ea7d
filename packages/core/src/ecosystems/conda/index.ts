import { dependenciesByName } from "../../index/named-dependencies.ts";
import { parentOf } from "../../layer/paths.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { condaVersions } from "../../versions/conda/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { condaEvidence } from "./evidence.ts";

const place = /(?:^|\/)conda-meta\/[^/]+\.json$/;
/** The limit for a record. Records are large, because they list the files of the package. */
const maxBytes = 64 * 1024 ** 2;

/**
 * Finds the packages that conda has installed, by its record of each package.
 * @see https://docs.conda.io/projects/conda/en/stable/dev-guide/deep-dives/install.html
 */
const condaDetector: FileDetector = {
  name: "conda-meta",
  revision: 2,
  names: { endings: [".json"] },
  wants: ({ path }: FileEntry) => path.endsWith(".json") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    const record = isObject(json) ? json : {};
    const name = textOf(record.name);
    if (name === "") yield unreadable(file.path, "expected the name of a conda package, found none");
    else {
      const arch = textOf(record.subdir);
      const qualifiers = { build: textOf(record.build), channel: channelOf(textOf(record.channel)), subdir: arch };
      const version = textOf(record.version);
      const requires = Array.isArray(record.depends) ? record.depends.map(textOf) : [];
      const licenses = [{ text: textOf(record.license) }];
      const details = { licenses, requires, downloadAddress: textOf(record.url) };
      yield provenPackage(file, { name, version, qualifiers, details, arch: arch || undefined });
    }
  },
};

/** `conda-forge` of `https://conda.anaconda.org/conda-forge/linux-64`, `pkgs/main` of Anaconda's own; a name stays as it is. */
function channelOf(channel: string): string {
  const [, path = channel] = /^[a-z]{1,10}:\/\/[^/]*\/(.*)$/.exec(channel) ?? [];
  return path
    .replace(/^t\/[^/]+\//, "")
    .replace(/\/(?:noarch|[a-z]+-(?:32|64|aarch64|arm64|armv[67]l|ppc64le|s390x|riscv64))?\/?$/, "");
}

/** Packages that conda has installed, of any language. */
export const conda = defineLanguage({
  name: "conda",
  ecosystem: "conda",
  repository: "conda",
  fileDetectors: [condaDetector],
  versions: condaVersions,
  evidence: condaEvidence,
  dependencies: dependenciesByName({
    namesIn: (need) => (need.startsWith("__") ? [] : need.split(/[\s=<>]/, 1)), // `__glibc` is of the machine
    accepts: ({ packageDb }, _, from) => parentOf(packageDb) === parentOf(from.packageDb),
  }),
  purl: ["conda"],
  assesses: ["conda"],
  keysRevision: 2,
});
