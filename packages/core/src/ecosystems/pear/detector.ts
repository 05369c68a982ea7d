import { wholeOf } from "../../bytes/byte-parts.ts";
/**
 * A serialized PHP value without objects:
 *
 * ```
 * value = "N;" | "b:" ("0" | "1") ";" | "i:" integer ";" | "d:" number ";" | "s:" bytes ":\"" text "\";"
 *       | "a:" count ":{" {key value} "}"                 a key is an integer or a text
 * ```
 * @see https://www.php.net/manual/en/function.serialize.php
 */

import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { ownText } from "../linux/text.ts";

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
  revision: 2,
  names: { endings: [".reg"] },
  wants: ({ path }: FileEntry) => path.endsWith(".reg") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const record = arrayOf(parseSerializedPhp(wholeOf(file, maxBytes)));
    const name = textOf(record.get("name")) || textOf(record.get("package"));
    const version = record.get("version");
    const release = typeof version === "string" ? version : textOf(arrayOf(version).get("release"));
    const channel = textOf(record.get("channel")) || pearChannel;
    if (name === "") yield unreadable(file.path, "expected the name of a PEAR package, found none");
    else {
      const stated = record.get("license");
      const license = textOf(stated) || textOf(arrayOf(stated).get("_content"));
      const details = { licenses: [{ text: license }], description: textOf(record.get("summary")) };
      yield provenPackage(file, { name: ownText(`${channel}/${name}`), version: ownText(release), details });
    }
  },
};

function textOf(value: PhpValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function arrayOf(value: PhpValue | undefined): PhpArray {
  return typeof value === "string" || value === undefined ? new Map() : value;
}

/** A value. Arrays are maps, numbers and booleans are texts, and null is the empty text. */
export type PhpValue = string | PhpArray;

/** An array by its keys. */
type PhpArray = ReadonlyMap<string, PhpValue>;

const maxDepth = 100;
const [colon, semicolon, quote, open, close] = [0x3a, 0x3b, 0x22, 0x7b, 0x7d];
const decoder = new TextDecoder();

/** Parses a value. Bytes after it are ignored. @throws ScanError `malformed_package_db` */
export function parseSerializedPhp(bytes: Uint8Array): PhpValue {
  return new PhpReader(bytes).value(0);
}

class PhpReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(depth: number): PhpValue {
    if (depth > maxDepth) throw this.#malformed(`at most ${maxDepth} nested arrays`);
    const kind = String.fromCharCode(this.#next());
    if (kind === "N") {
      this.#expect(semicolon);
      return "";
    }
    this.#expect(colon);
    if (kind === "b" || kind === "i" || kind === "d") return this.#until(semicolon);
    if (kind === "s") return this.#text();
    if (kind === "a") return this.#array(depth);
    throw this.#malformed("a string, a number or an array");
  }

  #text(): string {
    const length = this.#count(colon);
    this.#expect(quote);
    const start = this.#at;
    this.#at += length;
    this.#expect(quote);
    this.#expect(semicolon);
    return decoder.decode(this.#bytes.subarray(start, start + length));
  }

  #array(depth: number): PhpArray {
    const count = this.#count(colon);
    this.#expect(open);
    const members = new Map<string, PhpValue>();
    for (let at = 0; at < count; at++) {
      const key = this.value(maxDepth);
      if (typeof key !== "string") throw this.#malformed("a key");
      members.set(key, this.value(depth + 1));
    }
    this.#expect(close);
    return members;
  }

  /** Reads a length or a number of members. It cannot exceed the remaining bytes, because each byte of a text and each member needs at least one. */
  #count(end: number): number {
    const text = this.#until(end);
    const count = Number(text);
    if (/^\d+$/.test(text) && count <= this.#bytes.length - this.#at) return count;
    throw this.#malformed("a length within the file");
  }

  #until(end: number): string {
    const to = this.#bytes.indexOf(end, this.#at);
    if (to < 0 || to - this.#at > 64) throw this.#malformed("a short number");
    const text = decoder.decode(this.#bytes.subarray(this.#at, to));
    this.#at = to + 1;
    return text;
  }

  #expect(byte: number): void {
    if (this.#next() !== byte) throw this.#malformed(JSON.stringify(String.fromCharCode(byte)));
  }

  #next(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw this.#malformed("more bytes");
    return byte;
  }

  #malformed(expected: string) {
    return malformedPackageDb(`serialized PHP: expected ${expected} at byte ${this.#at}, found something else`);
  }
}
