import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { decodeHead } from "../language/head.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { snapEvidence } from "./evidence.ts";

const place = /(?:^|\/)meta\/snap\.yaml$/;
/** The bytes that are read. Name and version are in the first lines, before applications. */
const headBytes = 256 * 1024;

/**
 * Finds unpacked snaps by their description, a YAML document of which only scalar texts at the outermost level are read.
 *
 * ```
 * member = ("name" | "version" | "license" | "summary") ":" text        the text is plain, or in quotes without escapes
 * ```
 * @see https://snapcraft.io/docs/the-snap-format
 */
const snapDetector: FileDetector = {
  name: "snap-meta",
  revision: 2,
  names: { endings: ["snap.yaml"] },
  wants: ({ path }: FileEntry) => path.endsWith("snap.yaml") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const members = new Map<string, string>();
    for (const line of decodeHead(file.bytes, headBytes).split("\n")) {
      const [, key, double, single, plain] = member.exec(line) ?? [];
      const value = (double ?? single ?? plain ?? "").trim();
      if (key !== undefined && value !== "" && !members.has(key)) members.set(key, value);
    }
    const name = members.get("name");
    if (name === undefined) yield unreadable(file.path, "expected the name of a snap, found none");
    else {
      const [license = "", description] = [members.get("license"), members.get("summary")];
      yield provenPackage(file, {
        name,
        version: members.get("version") ?? "",
        details: { licenses: [{ text: license }], description },
      });
    }
  },
};

const member = /^(name|version|license|summary):[ \t]+(?:"([^"\\]*)"|'([^']*)'|([^"'\s#][^#]*))/;

/** Unpacked snaps. */
export const snap = defineLanguage({
  name: "snap",
  ecosystem: "Snap",
  repository: "snap",
  fileDetectors: [snapDetector],
  versions: numericVersions,
  evidence: snapEvidence,
  purl: ["snap"],
  assesses: ["snap"],
});
