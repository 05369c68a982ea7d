/**
 * The modules of a run-time image of Java, `lib/modules` as jlink writes it. Its index is at the beginning:
 *
 * ```
 * index     = magic:4 version:4 flags:4 resources:4 entries:4 locations-size:4 strings-size:4
 *             {redirect:4} {offset:4} {location} {string}     entries of both tables; the byte order of the processor
 * location  = {attribute} 0
 * attribute = kind:5-bits length-1:3-bits value               value: big-endian; of the kind 1, the module, where its name is in the strings
 * string    = text 0
 * ```
 * @see https://github.com/openjdk/jdk/blob/jdk-21-ga/src/java.base/share/native/libjimage/imageFile.hpp
 */
import { bigEndian, littleEndian } from "../../bytes/byte-order.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import type { Watcher } from "../../tar/entry.ts";

const magic = 0xcafedada;
const headerBytes = 28;
/** The index of a whole JDK has 3 MB. */
const maxIndexBytes = 32 * 1024 ** 2;
const moduleKind = 1;
const maxNameBytes = 256;
/** The JDK has about seventy. */
const maxModules = 10_000;

/** Names of modules of the JDK, and of those that its vendors add to it. */
export const ofRuntime = /^(?:java|jdk|openj9|oracle|com\.(?:azul|ibm|oracle|sap)|org\.graalvm)\./;

/** What the header says of the index. */
interface IndexForm {
  readonly locationsAt: number;
  readonly stringsAt: number;
  readonly sizeBytes: number;
}

/** Watches a run-time image for a module that is none of Java's own: it is in no archive. Only the index is read. */
export function watchRunTimeImage(onFound: () => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  let index: { readonly form: IndexForm; readonly bytes: Uint8Array } | undefined;
  let filled = 0;
  return (part) => {
    if (index === undefined) {
      head = concatBytes([head, part]);
      if (head.length < headerBytes) return true;
      const form = indexForm(head);
      if (form === undefined) return false;
      if (form.sizeBytes > maxIndexBytes) {
        onFound(); // what is in it is not known
        return false;
      }
      index = { form, bytes: new Uint8Array(form.sizeBytes) };
    }
    const wanted = (filled === 0 ? head : part).subarray(0, index.bytes.length - filled);
    index.bytes.set(wanted, filled);
    filled += wanted.length;
    if (filled < index.bytes.length) return true;
    if (modulesIn(index.bytes, index.form).some((name) => !ofRuntime.test(name))) onFound();
    return false;
  };
}

function indexForm(head: Uint8Array): IndexForm | undefined {
  const order = [littleEndian, bigEndian].find(({ u32 }) => u32(head, 0) === magic);
  if (order === undefined) return undefined;
  const [entries = 0, locations = 0, strings = 0] = [16, 20, 24].map((at) => order.u32(head, at));
  const locationsAt = headerBytes + 8 * entries;
  return { locationsAt, stringsAt: locationsAt + locations, sizeBytes: locationsAt + locations + strings };
}

/** Names that stand for parts of the image itself. */
const ofImage: ReadonlySet<string> = new Set(["", "modules", "packages"]);

/** The names of the modules that resources are in. */
function modulesIn(bytes: Uint8Array, { locationsAt, stringsAt }: IndexForm): readonly string[] {
  const places = new Set<number>();
  for (let at = locationsAt; at < stringsAt && places.size < maxModules; ) {
    const first = bytes[at] ?? 0;
    const kind = first >> 3;
    const length = kind === 0 ? 0 : (first & 7) + 1;
    if (kind === moduleKind)
      places.add(bytes.subarray(at + 1, at + 1 + length).reduce((sum, byte) => sum * 256 + byte, 0));
    at += 1 + length;
  }
  return Array.from(places, (place) => textAt(bytes, stringsAt + place)).filter((name) => !ofImage.has(name));
}

function textAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(0, start);
  return new TextDecoder("latin1").decode(bytes.subarray(start, end < 0 ? start : Math.min(end, start + maxNameBytes)));
}
