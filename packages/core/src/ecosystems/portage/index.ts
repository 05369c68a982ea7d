import { coalesceRecords } from "../../index/coalesce-records.ts";
import type { FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { decodeText } from "../linux/text.ts";
import { portageDetector } from "./detector.ts";
import { portageEvidence } from "./evidence.ts";
import { splitPackage } from "./package-path.ts";

/** `obj /usr/lib/libz.so.1.3 MD5 MTIME` */
const regular = /^obj \/(.+) [0-9a-f]+ \d+$/;

/** Lists the files that packages of Portage own, from each package's `CONTENTS`. */
const portageOwners: FileOwners = {
  name: "portage-owners",
  revision: 2,
  names: { endings: ["/CONTENTS"] },
  wants: portageDetector.wants,
  *owners(files) {
    for (const { path, bytes } of files) {
      const owner = splitPackage(path)?.name;
      if (owner === undefined) continue;
      const paths = decodeText(bytes)
        .split("\n")
        .flatMap((line) => regular.exec(line)?.[1] ?? []);
      yield { paths, owner, listedIn: path };
    }
  },
};

/** Packages of Portage: Gentoo and its derivatives. */
export const portage: Ecosystem = {
  name: "portage",
  detectors: [],
  fileDetectors: [portageDetector],
  fileOwners: [portageOwners],
  evidence: portageEvidence,
  matchers: [],
  purl: ["ebuild"],
  coalesce: coalesceRecords,
  assesses: ["portage"],
};
