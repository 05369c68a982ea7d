import { ScanError } from "../../errors.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { ownText } from "../linux/text.ts";
import { type PhpArray, type PhpValue, parseSerializedPhp } from "./serialized-php.ts";

const place = /(?:^|\/)\.registry\/(?:\.channel\.[^/]+\/)?[^/.][^/]*\.reg$/;
/** The largest record that is read. A record lists the files of one package. */
const maxBytes = 16 * 1024 ** 2;
/** The channel of packages whose record has none. */
const pearChannel = "pear.php.net";

/**
 * Finds packages of PEAR and PECL by the installer's records.
 * @see https://github.com/pear/pear-core/blob/v1.10.15/PEAR/Registry.php
 */
export const pearDetector: FileDetector = {
  name: "pear-registry",
  revision: 1,
  names: { endings: [".reg"] },
  wants: ({ path }: FileEntry) => path.endsWith(".reg") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    if (file.bytes.length > maxBytes) {
      throw new ScanError("malformed_package_db", `expected at most ${maxBytes} bytes, found ${file.bytes.length}`);
    }
    const record = arrayOf(parseSerializedPhp(file.bytes));
    const name = textOf(record.get("name")) || textOf(record.get("package"));
    const version = record.get("version");
    const release = typeof version === "string" ? version : textOf(arrayOf(version).get("release"));
    const channel = textOf(record.get("channel")) || pearChannel;
    if (name === "") yield unreadable(file.path, "expected the name of a PEAR package, found none");
    else yield provenPackage(file, { name: ownText(`${channel}/${name}`), version: ownText(release) });
  },
};

function textOf(value: PhpValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function arrayOf(value: PhpValue | undefined): PhpArray {
  return typeof value === "string" || value === undefined ? new Map() : value;
}
