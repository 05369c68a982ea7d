/**
 * The texts of the version resource of a PE file (all numbers little-endian, texts in UTF-16):
 *
 * ```text
 * folder    12 bytes, u16 named entries, u16 numbered ones, the entries
 * entry     u32 number, u32 offset in the resources: of a folder if its highest bit is set, else of the data
 * data      u32 address, u32 bytes                           folders: kind (16: version), number, language
 * block     u16 bytes, u16 length of the value, u16 kind, key, value, blocks; each padded to 4
 * version   block "VS_VERSION_INFO" {"StringFileInfo" {language {"ProductVersion", "FileVersion" …}}}
 * ```
 * @see https://learn.microsoft.com/en-us/windows/win32/menurc/vs-versioninfo
 */

import { bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import { contentOf } from "../../bytes/byte-parts.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { isPe, type PeImage, readPeImage } from "../../programs/pe.ts";
import { provenPackage } from "../language/proof.ts";
import { type AssemblyIdentity, bytesFrom, readAssembly } from "./assembly-row.ts";

/**
 * Finds .NET assemblies by their metadata. Those that a `*.deps.json` lists are left out when layers are coalesced. Native libraries and
 * programs are ignored, and so are assemblies with only the texts of a language, and reference assemblies for compilers.
 */
export const assemblyDetector: FileDetector = {
  name: "dotnet-assembly",
  revision: 2,
  names: { endings: [".dll", ".exe"] },
  wants: ({ path }: FileEntry) => /\.(?:dll|exe)$/i.test(path) && !isReference(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const bytes = contentOf(file);
    if (!isPe(bytes)) return;
    const image = readPeImage(bytes);
    const assembly = readAssembly(image);
    if (assembly === undefined || assembly.culture !== "") return;
    const framework = findFramework(file.path);
    if (framework !== undefined) {
      if (assembly.name === framework.firstAssembly) yield provenPackage(file, framework);
      return;
    }
    const texts = readVersionTexts(image);
    const details = { supplier: texts.get("CompanyName"), description: texts.get("FileDescription") };
    yield provenPackage(file, { name: assembly.name, version: versionIn(assembly, texts), details });
  },
};

function versionIn({ version }: AssemblyIdentity, texts: ReadonlyMap<string, string>): string {
  return versionOfAssembly({
    product: texts.get("ProductVersion"),
    file: texts.get("FileVersion"),
    identity: version,
  });
}

/** The versions that an assembly has in three places. */
interface AssemblyVersions {
  /** `ProductVersion`. Builds write the version of the package here, followed by a plus and the revision of the sources. */
  readonly product?: string | undefined;
  /** `FileVersion`: four numbers, the first three mostly those of the package. */
  readonly file?: string | undefined;
  /** The version of its identity. Many packages never change it, so that programs need not be rebuilt. */
  readonly identity: string;
}

const version = /^v?(\d{1,10}(?:\.\d{1,10}){1,3}(?:-[0-9a-z-]{1,40}(?:\.[0-9a-z-]{1,40}){0,5})?)(?:\+\S*)?(?:[ ,]|$)/i;

/** The mark of Microsoft's builds of releases. The version of the package does not have it. */
const ofReleases = /-(?:rtm|servicing)[.-]/i;

/**
 * The probable version of an assembly's package: the first valid one of the product's, the file's and the identity's version. Empty if there is
 * none, or all are 0.
 * @see https://learn.microsoft.com/en-us/dotnet/standard/library-guidance/versioning
 */
function versionOfAssembly({ product, file, identity }: AssemblyVersions): string {
  const found = [product, file, identity].map(plainVersion).find((each) => each !== "");
  return found ?? "";
}

function plainVersion(text = ""): string {
  const [, found = ""] = version.exec(text.trim()) ?? [];
  const plain = found
    .split(ofReleases, 1)
    .join("")
    .replace(/^(\d+\.\d+\.\d+)\.0+(?=-|$)/, "$1");
  return /[1-9]/.test(plain) ? plain : "";
}

/** A shared framework that is installed. */
interface Framework {
  readonly name: string;
  readonly version: string;
  /** The assembly that represents all files of the framework. */
  readonly firstAssembly: string;
}

const firstAssemblies: ReadonlyMap<string, string> = new Map([
  ["Microsoft.NETCore.App", "System.Private.CoreLib"],
  ["Microsoft.AspNetCore.App", "Microsoft.AspNetCore"],
  ["Microsoft.WindowsDesktop.App", "PresentationFramework"],
]);

const folder = /(?:^|\/)shared\/(Microsoft\.[^/]+\.App)\/(\d[^/]*)\/[^/]+$/;

/** The framework of a file, by its path `shared/NAME/VERSION/FILE`. @see https://learn.microsoft.com/en-us/dotnet/core/distribution-packaging */
function findFramework(path: string): Framework | undefined {
  const [, name = "", version = ""] = folder.exec(path) ?? [];
  const firstAssembly = firstAssemblies.get(name);
  return firstAssembly === undefined ? undefined : { name, version, firstAssembly };
}

/** Whether an assembly is a reference assembly for compilers (`ref/FRAMEWORK/NAME.dll`), which declares methods without their code. */
function isReference(path: string): boolean {
  return /(?:^|\/)ref\/net[^/]+\/[^/]+$/.test(path);
}

const { u16, u32 } = littleEndian;
const resourceDirectory = 2;
const versionKind = 16;
const isFolder = 0x8000_0000;
const maxResourceBytes = 64 * 1024 ** 2;

/** The length of a block is a 16-bit number. */
const maxVersionBytes = 65_536;
const decoder = new TextDecoder("utf-16le");

/** Reads the texts of the first language, by key; empty if there is no version resource. @throws ScanError `malformed_package_db` */
function readVersionTexts(image: PeImage): ReadonlyMap<string, string> {
  const version = findVersion(image);
  const strings =
    version &&
    childOf(
      childOf(blockAt(version, 0), (key) => key === "StringFileInfo"),
      () => true,
    );
  return new Map(strings === undefined ? [] : childrenOf(strings).map(({ key, value }) => [key, value]));
}

function findVersion(image: PeImage): Uint8Array | undefined {
  const directory = image.directories[resourceDirectory];
  if (directory === undefined || directory.address === 0) return undefined;
  const resources = bytesFrom(image, directory.address, Math.min(maxResourceBytes, directory.sizeBytes));
  const kind = entryOf(resources, 0, (number) => number === versionKind);
  const language = kind === undefined ? undefined : entryOf(resources, kind, () => true);
  const data = language === undefined ? undefined : entryOf(resources, language, () => true);
  if (data === undefined) return undefined;
  const [address, sizeBytes] = [u32(resources, data), u32(resources, data + 4)];
  return bytesFrom(image, address, Math.min(maxVersionBytes, sizeBytes));
}

/** The target of the first entry of a folder whose number is wanted. */
function entryOf(resources: Uint8Array, folder: number, wants: (number: number) => boolean): number | undefined {
  const count = u16(resources, folder + 12) + u16(resources, folder + 14);
  const entries = bytesAt(resources, folder + 16, count * 8);
  for (let at = 0; at < entries.length; at += 8) {
    if (wants(u32(entries, at))) return u32(entries, at + 4) % isFolder;
  }
  return undefined;
}

interface Block {
  readonly key: string;
  /** The text up to a zero character; empty for a value that is not a text. */
  readonly value: string;
  readonly bytes: Uint8Array;
  /** The offset of its inner blocks. */
  readonly childrenAt: number;
}

/** The block at an offset; undefined if there is none. */
function blockAt(bytes: Uint8Array, start: number): Block | undefined {
  if (start + 6 > bytes.length) return undefined;
  const length = u16(bytes, start);
  if (length < 6) return undefined;
  const block = bytes.subarray(start, start + length);
  const isText = u16(block, 4) === 1;
  const key = textIn(block, 6);
  const valueAt = padded(6 + 2 * (key.length + 1));
  const valueBytes = u16(block, 2) * (isText ? 2 : 1); // for texts, the length is in characters
  const value = isText ? textIn(block.subarray(0, valueAt + valueBytes), valueAt) : "";
  return { key, value, bytes: block, childrenAt: padded(valueAt + valueBytes) };
}

function childrenOf(block: Block): readonly Block[] {
  const children: Block[] = [];
  for (let at = block.childrenAt; ; ) {
    const child = blockAt(block.bytes, at);
    if (child === undefined) return children;
    children.push(child);
    at = padded(at + child.bytes.length);
  }
}

function childOf(block: Block | undefined, isWanted: (key: string) => boolean): Block | undefined {
  return block === undefined ? undefined : childrenOf(block).find(({ key }) => isWanted(key));
}

function textIn(block: Uint8Array, start: number): string {
  let end = start;
  while (end + 1 < block.length && (block[end] !== 0 || block[end + 1] !== 0)) end += 2;
  return decoder.decode(block.subarray(start, end));
}

function padded(offset: number): number {
  return Math.ceil(offset / 4) * 4;
}
