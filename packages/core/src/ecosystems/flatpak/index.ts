import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { provenPackage } from "../language/proof.ts";
import { flatpakEvidence } from "./evidence.ts";

/** `var/lib/flatpak/app/org.gnome.gedit/x86_64/stable/COMMIT/metadata`, and the same in `.local/share/flatpak` of a user. */
const place =
  /(?:^var\/lib|(?:^|\/)\.local\/share)\/flatpak\/(?:app|runtime)\/([^/]+)\/([^/]+)\/([^/]+)\/[^/]+\/metadata$/;

/** Finds installed applications and runtimes of Flatpak, by their folders. The version is the branch. */
const flatpakDetector: FileDetector = {
  name: "flatpak-installed",
  revision: 2,
  names: { endings: ["/metadata"] },
  wants: ({ path }: FileEntry) => path.endsWith("/metadata") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", arch = "", version = ""] = place.exec(file.path) ?? [];
    yield provenPackage(file, { name, version, arch });
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
  purl: ["flatpak"],
  assesses: ["flatpak"],
});
