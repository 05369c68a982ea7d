import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "../language/proof.ts";

/** `var/lib/flatpak/app/org.gnome.gedit/x86_64/stable/COMMIT/metadata` */
const place = /^var\/lib\/flatpak\/(?:app|runtime)\/([^/]+)\/([^/]+)\/([^/]+)\/[^/]+\/metadata$/;

/** Finds installed applications and runtimes of Flatpak, by their folders. The version is the branch. */
export const flatpakDetector: FileDetector = {
  name: "flatpak-installed",
  revision: 1,
  names: { endings: ["/metadata"] },
  wants: ({ path }: FileEntry) => path.endsWith("/metadata") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", arch = "", version = ""] = place.exec(file.path) ?? [];
    yield provenPackage(file, { name, version, arch });
  },
};
