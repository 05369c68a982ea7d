import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { isPlain, ownText, quoted } from "../linux/text.ts";
import { parseDescription } from "./desc.ts";

const place = /^var\/lib\/pacman\/local\/[^/]+\/desc$/;

/** Finds the installed packages of pacman, by their descriptions. */
export const pacmanDetector: FileDetector = {
  name: "pacman-local",
  revision: 1,
  names: { endings: ["/desc"] },
  wants: ({ path }: FileEntry) => path.endsWith("/desc") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const values = parseDescription(file.bytes);
    const [name, version, base, arch] = ["NAME", "VERSION", "BASE", "ARCH"].map((key) => values.get(key));
    if (name === undefined || version === undefined) {
      yield unreadable(file.path, "expected the name and version of a package, found none");
      return;
    }
    const found = provenPackage(file, { name, version, arch: arch === undefined ? undefined : ownText(arch) });
    if (found.kind !== "package") yield found;
    else if (!isPlain(base ?? "")) yield unreadable(file.path, `expected a short word, found ${quoted(base ?? "")}`);
    else yield { ...found, package: { ...found.package, source: { name: base ?? name, version, kind: "SOURCE" } } };
  },
};
