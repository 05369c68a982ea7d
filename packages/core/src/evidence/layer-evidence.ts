import type { MemoryBudget } from "../bytes/memory-budget.ts";
import { type UnassessedKind, unassessedKinds } from "../model/index-report.ts";
import type { BuildMark, FileEntry } from "../plugins/detector.ts";
import type { EvidenceFinding } from "../plugins/finding.ts";
import type { Watcher } from "../tar/entry.ts";
import { watchBerkeleyDb } from "./berkeley-db.ts";
import { findFileEvidence } from "./file-evidence.ts";
import { InfoFolders } from "./info-folders.ts";
import { isPerhapsRpmDatabase } from "./rules.ts";
import { watchExecutableFile, watchProgram } from "./watch-program.ts";

/** Paths of one kind in one layer; further pieces are counted with the last path. */
const maxPaths = 1000;
/** Linkers write no smaller program of Go or Rust. */
export const minExecutableBytes = 16_384;
/** A zip archive with one short description has more bytes. */
const minZipappBytes = 100;
const anyExecuteBit = 0o111;
const nixStore = "nix/store/";

/** The kinds of packages whose presence a mark shows. */
const kindsOfMarks = { asar: "npm", go: "go", jar: "java", rust: "rust", zipapp: "python" } as const satisfies Record<
  BuildMark,
  UnassessedKind
>;

/** The kind of packages whose presence a mark shows. */
export function kindOfMark(mark: BuildMark): UnassessedKind {
  return kindsOfMarks[mark];
}

/** Whether the content of a file may have a mark. Files that are not executable are read as programs only if they are large: libraries, or modules. */
export function mayHaveMark({ sizeBytes, mode }: Pick<FileEntry, "sizeBytes" | "mode">): boolean {
  return sizeBytes >= minExecutableBytes || (sizeBytes >= minZipappBytes && (mode & anyExecuteBit) !== 0);
}

/** The evidence of one kind in one layer. */
interface KindEvidence {
  readonly paths: Set<string>;
  /** The number of pieces above `maxPaths`, whose paths are not kept. */
  more: number;
}

/**
 * Records evidence of packages that no detector reads while a layer is streamed. Its memory is bounded.
 * @example
 * const evidence = new LayerEvidence(new MemoryBudget(1_000_000, "maxKeptBytes"));
 * evidence.seeFile("app/package-lock.json", { sizeBytes: 2_048, mode: 0o644 });
 * for (const { packages, path } of evidence.list(() => true)) console.log(packages, path);
 */
export class LayerEvidence {
  readonly #budget: MemoryBudget;
  readonly #byKind = new Map<UnassessedKind, KindEvidence>();
  readonly #infoFolders: InfoFolders;
  #lastStorePath = "";
  readonly #storePaths = new Set<string>();

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
    this.#infoFolders = new InfoFolders(budget, maxPaths);
  }

  /**
   * Records a file that is evidence by its path. Returns a watcher for a file whose content may be evidence.
   * @param onMark called with the mark of a program
   */
  seeFile(
    path: string,
    file: Pick<FileEntry, "sizeBytes" | "mode">,
    onMark: (mark: BuildMark) => void = () => {},
  ): Watcher | false {
    const kind = findFileEvidence(path);
    if (kind !== undefined) this.#add(kind, path);
    this.#infoFolders.see(path);
    if (path.startsWith(nixStore) && this.#isNewStorePath(path)) this.#add("nix", path);
    if (kind === undefined && isPerhapsRpmDatabase(path)) return watchBerkeleyDb(() => this.#add("rpm", path));
    if (!mayHaveMark(file)) return false;
    const mayBeExecuted = kind === undefined && (file.mode & anyExecuteBit) !== 0;
    const watch = mayBeExecuted ? watchExecutableFile : watchProgram;
    return watch((mark) => {
      this.#add(kindOfMark(mark), path);
      onMark(mark);
    });
  }

  /** Removes a file that a later entry of the layer replaces. */
  forget(path: string): void {
    for (const { paths } of this.#byKind.values()) paths.delete(path);
  }

  /** The evidence in files that exist at the end of the layer, sorted by kind and path. */
  list(isThere: (path: string) => boolean): EvidenceFinding[] {
    const python = this.#byKind.get("python")?.paths.size ?? 0;
    for (const path of [...this.#infoFolders.files()].slice(0, maxPaths - python)) this.#add("python", path);
    return unassessedKinds.flatMap((packages) => {
      const { paths = [], more = 0 } = this.#byKind.get(packages) ?? {};
      const existing = [...paths].filter(isThere).sort();
      return existing.map((path, index): EvidenceFinding => {
        const pieces = index === existing.length - 1 ? 1 + more : 1;
        return { kind: "evidence", path, packages, pieces };
      });
    });
  }

  /** Whether the file is the first of its store path, which it represents. Files of one store path mostly follow each other. */
  #isNewStorePath(path: string): boolean {
    const end = path.indexOf("/", nixStore.length);
    const storePath = end < 0 ? path : path.slice(0, end);
    if (storePath === this.#lastStorePath || storePath === `${nixStore}.links`) return false;
    this.#lastStorePath = storePath;
    if (this.#storePaths.has(storePath)) return false;
    if (this.#storePaths.size < maxPaths) this.#storePaths.add(storePath);
    return true;
  }

  #add(kind: UnassessedKind, path: string): void {
    const kept = this.#byKind.get(kind) ?? { paths: new Set(), more: 0 };
    this.#byKind.set(kind, kept);
    if (kept.paths.has(path)) return;
    if (kept.paths.size === maxPaths) {
      kept.more++;
      return;
    }
    this.#budget.take(path.length);
    kept.paths.add(path);
  }
}
