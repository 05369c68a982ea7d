/**
 * The list of the rpm packages that an image of Bottlerocket was built from:
 *
 * ```
 * document = { Content: [entry] }
 * entry    = { Name, Version, Release, Epoch?, Architecture, Publisher, InstalledTime, ApplicationType, Url, Summary }     texts
 * ```
 * Names have no prefix `bottlerocket-`. Until 2024 the version is that of Bottlerocket, and the release is a commit.
 * @see https://bottlerocket.dev/en/os/latest/#/concepts/variants/#software-inventory
 */
import { ScanError } from "../../errors.ts";
import { isObject, type JsonObject, memberOf, textOf } from "../../model/json-object.ts";
import type { Detector, FileEntry, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";

const suffix = "usr/share/bottlerocket/application-inventory.json";
const places: ReadonlySet<string> = new Set([
  suffix,
  `aarch64-bottlerocket-linux-gnu/sys-root/${suffix}`,
  `x86_64-bottlerocket-linux-gnu/sys-root/${suffix}`,
]);
const maxBytes = 16 * 1024 ** 2;

/** Finds the packages of Bottlerocket. */
export const bottlerocketDetector: Detector = {
  name: "bottlerocket-inventory",
  revision: 1,
  names: { endings: [suffix] },
  wants: ({ path }: FileEntry) => places.has(path),
  *detect(files: LayerFiles): Generator<Finding> {
    for (const file of files) {
      yield { kind: "database", path: file.path };
      yield* packagesIn(file);
    }
  },
};

function* packagesIn(file: LayerFile): Generator<Finding> {
  try {
    const content = memberOf(readJson(file, maxBytes), "Content");
    if (!Array.isArray(content)) yield unreadable(file.path, "expected a list Content, found none");
    for (const [at, entry] of Array.isArray(content) ? content.entries() : []) {
      if (isObject(entry) && textOf(entry.Name) !== "") yield packageOf(file, entry);
      else yield unreadable(file.path, "expected a package with a name, found none", `Content[${at}]`);
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    yield { kind: "problem", path: file.path, code: error.code, message: error.message };
  }
}

function packageOf(file: LayerFile, entry: JsonObject): Finding {
  const [name, version, release] = [textOf(entry.Name), textOf(entry.Version), textOf(entry.Release)];
  const [epoch, arch] = [textOf(entry.Epoch), textOf(entry.Architecture)];
  const hasEpoch = /^[1-9]\d*$/.test(epoch);
  const evr = `${hasEpoch ? `${epoch}:` : ""}${version}${release === "" ? "" : `-${release}`}`;
  return provenPackage(file, { name, version: version === "" ? "" : evr, arch: arch || undefined });
}
