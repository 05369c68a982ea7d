import { wholeOf } from "../../bytes/byte-parts.ts";
import { dependenciesByName, inSameFile } from "../../index/named-dependencies.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { cpeVersions } from "../cpe/version.ts";
import { parseDeb822 } from "../dpkg/deb822.ts";
import { defineLanguage } from "../language/define-language.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { vcpkgEvidence } from "./evidence.ts";

const place = /(?:^|\/)vcpkg\/status$/;
const maxBytes = 64 * 1024 ** 2;

/**
 * Finds the ports that vcpkg has installed, by its status file, which has the same form as dpkg's. A paragraph with a `Feature` is a part of
 * the port before it.
 * @see https://learn.microsoft.com/en-us/vcpkg/reference/installation-tree-layout
 */
const vcpkgDetector: FileDetector = {
  name: "vcpkg-status",
  revision: 2,
  names: { endings: ["/status"] },
  wants: ({ path }: FileEntry) => path.endsWith("/status") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    for (const stanza of parseDeb822(wholeOf(file, maxBytes))) {
      const { fields, line } = stanza;
      const field = (name: string) => fields.get(name.toLowerCase()) ?? "";
      if (stanza.kind === "malformed") yield unreadable(file.path, `line ${line}: ${stanza.message}`);
      else if (field("Feature") === "" && / installed$/.test(field("Status"))) yield portOf(file, field, line);
    }
  },
};

function portOf(file: LayerFile, field: (name: string) => string, line: number): Finding {
  const [name, version, revision] = [field("Package"), field("Version"), field("Port-Version")];
  if (name === "") return unreadable(file.path, `line ${line}: expected the name of a port, found none`);
  const arch = field("Architecture");
  const whole = revision === "" || revision === "0" ? version : `${version}#${revision}`;
  const details = {
    homepage: field("Homepage"),
    description: field("Description"),
    requires: field("Depends").split(","),
  };
  return provenPackage(file, { name, version: whole, arch: arch || undefined, details });
}

/** Installed ports of vcpkg, which are C and C++ libraries. */
export const vcpkg = defineLanguage({
  name: "vcpkg",
  ecosystem: "vcpkg",
  repository: "vcpkg",
  fileDetectors: [vcpkgDetector],
  versions: cpeVersions,
  evidence: vcpkgEvidence,
  dependencies: dependenciesByName({ namesIn: (need) => need.split(/[:[(\s]/, 1), accepts: inSameFile }), // `zlib:x64-linux`
  purl: ["vcpkg"],
  assesses: ["cpp"],
});
