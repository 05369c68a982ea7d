import type { ByteParts } from "../bytes/byte-parts.ts";
import { contentOf } from "../bytes/byte-parts.ts";
import type {
  ArchiveFormat,
  ArchiveOpening,
  BuildMark,
  FileEntry,
  LayerFile,
  LayerLink,
  OuterArchive,
} from "../plugins/detector.ts";
import { minExecutableBytes, watchProgram } from "../programs/watch-program.ts";
import { ArchiveBudget, defaultArchiveLimits } from "../zip/archive-budget.ts";
import type { ZipEntry } from "../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../zip/zip-reader.ts";
import { keptFile } from "./kept-file.ts";
import type { ContentCollector } from "./passing-bytes.ts";

/** Receives the members of an archive, which are described like files of a layer. */
export interface MemberInspector {
  readonly readers: Readonly<Record<ArchiveFormat, ZipReader>>;
  /** Bytes of one member that is read as a whole. */
  readonly maxFileBytes: number;
  /** Collects a large content at a depth; the one before at the same depth is then no longer needed. */
  collect(depth: number, sizeBytes: number): ContentCollector;
  /** Whether any detector wants a member by its path. */
  wants(member: FileEntry, archive: OuterArchive): boolean;
  /** Whether any detector wants programs with this mark. */
  wantsMark(mark: BuildMark): boolean;
  inspect(info: FileEntry, member: LayerFile, marks: readonly BuildMark[]): void;
  inspectLink(link: LayerLink & Pick<LayerFile, "archive">): void;
  /** Called when a member cannot be read. Throws the error again if it ends the whole archive. */
  onUnreadable(member: Pick<LayerFile, "path" | "archive">, error: unknown): void;
}

interface Opened {
  readonly inspector: MemberInspector;
  readonly reader: ZipReader;
  readonly file: ZipFile;
  readonly place: OuterArchive;
}

interface Member {
  readonly entry: ZipEntry;
  readonly info: FileEntry;
}

/**
 * Inspects the members of an archive: first those that detectors want by their paths, then programs with a build mark. What is read is counted by the
 * budget of the outermost archive.
 * @throws ScanError `malformed_archive`; `memory_limit` above a limit of {@link ArchiveBudget}
 */
export function openArchive(
  archive: LayerFile,
  { packages, format = "zip" }: ArchiveOpening,
  inspector: MemberInspector,
): void {
  const place: OuterArchive = { ...placeIn(archive), packages };
  place.budget.checkDepth(place.depth);
  const opened: Opened = {
    inspector,
    reader: inspector.readers[format],
    place,
    file: { location: place.shown.slice(0, -1), bytes: contentOf(archive) },
  };
  const { wanted, programs } = listMembers(opened);
  for (const member of wanted) readMember(opened, member, []);
  for (const member of programs) readProgram(opened, member);
}

/** The place of the members of an archive. */
function placeIn(opened: LayerFile): Omit<OuterArchive, "packages"> {
  const { path, archive } = opened;
  const folder = `${path}/`;
  if (archive === undefined) {
    const { budget = new ArchiveBudget(path, contentOf(opened).length, defaultArchiveLimits) } = opened;
    return { file: path, folder, shown: `${path}:`, depth: 1, budget };
  }
  const { file, budget, depth } = archive;
  return { file, folder, shown: `${shownPath(path, archive)}:`, depth: depth + 1, budget };
}

/** The path of a member as reports show it: `a.whl:b/c.jar` of `a.whl/b/c.jar`. */
export function shownPath(path: string, { folder, shown }: Pick<OuterArchive, "folder" | "shown">): string {
  return path.startsWith(folder) ? shown + path.slice(folder.length) : path;
}

function listMembers({ inspector, reader, file, place }: Opened) {
  const describe = (name: string, sizeBytes: number, mode: number): FileEntry => {
    return { path: place.folder + name.replace(/^(?:\.?\/)+/, ""), kind: "file", sizeBytes, mode };
  };
  const entries = reader.list(file, {
    maxEntries: Number.POSITIVE_INFINITY, // the budget counts them
    wants(name, sizeBytes) {
      place.budget.countEntry();
      if (name.endsWith("/")) return false;
      return mayBeProgram(name, sizeBytes) || inspector.wants(describe(name, sizeBytes, ordinaryMode), place);
    },
    seeLink(name, target) {
      place.budget.countEntry();
      inspector.inspectLink({ path: place.folder + name, target: `/${place.folder}${target}`, archive: place });
    },
  });
  const members = entries
    .filter((entry) => !isLink(entry))
    .map((entry): Member => {
      const { name, sizeBytes, mode } = entry;
      return { entry, info: describe(name, sizeBytes, mode === 0 ? ordinaryMode : mode & permissionBits) };
    });
  const { wanted = [], programs = [] } = Object.groupBy(members, ({ info }) =>
    inspector.wants(info, place) ? "wanted" : "programs",
  );
  return { wanted, programs };
}

/**
 * Whether an entry may be a program with a mark. Classes, of which Java archives have thousands, are none, nor are texts and media, nor libraries of macOS, which no
 * container runs: they are not even decompressed.
 */
function mayBeProgram(name: string, sizeBytes: number): boolean {
  return sizeBytes >= minExecutableBytes && !neverPrograms.test(name);
}

const neverPrograms =
  /\.(?:class|css|dtd|dylib|eot|gif|html?|ico|java|jnilib|jpe?g|js|json|kt|map|md|mjs|png|properties|proto|py|pyc|rnc|scala|scss|sjsir|svg|tasty|ts|ttf|txt|woff2?|xml|xsd)$/i;

const ordinaryMode = 0o644;
const permissionBits = 0o7777;

/** Whether an entry is a symbolic link, whose content is a path. */
function isLink({ mode }: ZipEntry): boolean {
  return (mode & 0o170000) === 0o120000;
}

/** Larger contents are not decompressed into memory of their own. */
const largeBytes = 8 * 1024 ** 2;

function readMember(opened: Opened, { entry, info }: Member, marks: readonly BuildMark[]): void {
  const { inspector, place } = opened;
  const { path, mode } = info;
  const unpackedBytes = entry.method === 0 ? 0 : entry.sizeBytes;
  place.budget.countPart(unpackedBytes);
  place.budget.open(unpackedBytes);
  try {
    const content = contentOfMember(opened, entry);
    inspector.inspect(info, keptFile({ path, contentPath: path, mode, info, archive: place }, content), marks);
  } catch (error) {
    inspector.onUnreadable({ path, archive: place }, error);
  } finally {
    place.budget.close(unpackedBytes);
  }
}

function contentOfMember({ inspector, reader, file, place }: Opened, entry: ZipEntry): ByteParts {
  const { maxFileBytes } = inspector;
  const { sizeBytes, method } = entry;
  if (sizeBytes < largeBytes) return reader.read(file, entry, maxFileBytes);
  if (method === 0 || sizeBytes > maxFileBytes) return reader.parts(file, entry, maxFileBytes);
  const collector = inspector.collect(place.depth, sizeBytes);
  for (const piece of reader.pieces(file, entry)) collector.take(piece);
  return collector.whole ?? new Uint8Array(0);
}

/** Reads a member if it is a program with a build mark that a detector wants. Of other files, only the beginning is decompressed. */
function readProgram(opened: Opened, member: Member): void {
  const { inspector, reader, file, place } = opened;
  const { path } = member.info;
  const marks: BuildMark[] = [];
  const watcher = watchProgram((mark) => inspector.wantsMark(mark) && marks.push(mark), member.entry.sizeBytes);
  try {
    let isCounted = false;
    for (const piece of reader.pieces(file, member.entry, "search")) {
      if (!watcher(piece)) break;
      if (!isCounted) place.budget.countPart(member.entry.sizeBytes);
      isCounted = true;
    }
  } catch (error) {
    inspector.onUnreadable({ path, archive: place }, error);
  }
  if (marks.length > 0) readMember(opened, member, marks);
}
