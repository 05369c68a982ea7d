import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { decodeHead } from "../language/head.ts";
import { provenPackage } from "../language/proof.ts";
import { flatpakEvidence } from "./evidence.ts";

/** `var/lib/flatpak/app/org.gnome.gedit/x86_64/stable/COMMIT/metadata`, and the same in `.local/share/flatpak` of a user. */
const place =
  /(?:^var\/lib|(?:^|\/)\.local\/share)\/flatpak\/(?:app|runtime)\/([^/]+)\/([^/]+)\/([^/]+)\/[^/]+\/metadata$/;

const headBytes = 16 * 1024;

/** Finds installed applications and runtimes of Flatpak, by their folders. The version is the branch. An application names its runtime: `NAME/ARCH/BRANCH`. */
const flatpakDetector: FileDetector = {
  name: "flatpak-installed",
  revision: 3,
  names: { endings: ["/metadata"] },
  wants: ({ path }: FileEntry) => path.endsWith("/metadata") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", arch = "", version = ""] = place.exec(file.path) ?? [];
    const runtime = /^runtime=([^\s/]{1,200}\/[^\s]{1,200})$/m.exec(decodeHead(file.bytes, headBytes))?.[1];
    const details = { requires: runtime === undefined ? [] : [runtime] };
    yield provenPackage(file, { name, version, arch, details });
  },
};

/** Installed applications and runtimes of Flatpak. */
export const flatpak = defineLanguage({
  name: "flatpak",
  ecosystem: "Flatpak",
  repository: "flatpak",
  fileDetectors: [flatpakDetector],
  versions: numericVersions,
  evidence: flatpakEvidence,
  dependencies: dependenciesByName({
    namesOf: ({ package: { name, arch, version } }) => [`${name}/${arch}/${version}`],
  }),
  purl: ["flatpak"],
  assesses: ["flatpak"],
});
