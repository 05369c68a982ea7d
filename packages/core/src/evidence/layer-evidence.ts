import type { MemoryBudget } from "../bytes/memory-budget.ts";
import { isOfPythonTests } from "../layer/test-data.ts";
import { type UnassessedKind, unassessedKinds } from "../model/index-report.ts";
import type { BuildMark, FileEntry } from "../plugins/detector.ts";
import type { FolderEvidence } from "../plugins/evidence.ts";
import type { EvidenceFinding } from "../plugins/finding.ts";
import { anyExecuteBit, mayHaveMark, watchExecutableFile, watchProgram } from "../programs/watch-program.ts";
import type { Watcher } from "../tar/entry.ts";
import type { EvidenceRules, WatchedEvidence } from "./evidence-rules.ts";
import { watchPackedTar } from "./packed-tar.ts";

/** Paths of one kind in one layer; further pieces are counted with the last path. */
const maxPaths = 1000;

/** The evidence of one kind in one layer. */
interface KindEvidence {
  readonly paths: Set<string>;
  /** The number of pieces above `maxPaths`, whose paths are not kept. */
  more: number;
}

/** A file whose content is watched for marks. */
interface WatchedFile extends Pick<FileEntry, "sizeBytes" | "mode"> {
  /** The kind that its path is evidence of. */
  readonly kind: UnassessedKind | undefined;
  readonly onMark: (mark: BuildMark) => void;
}

/** The folders of one rule, each with its first file. */
interface SeenFolders {
  readonly rule: FolderEvidence;
  readonly first: Map<string, string>;
  /** Files of one folder mostly follow each other. */
  last: string | undefined;
  more: number;
}

/**
 * Records evidence of packages while a layer is streamed. Its memory is bounded.
 * @example
 * const evidence = new LayerEvidence(new MemoryBudget(1_000_000, "maxKeptBytes"), allEvidenceRules);
 * evidence.seeFile("app/package-lock.json", { sizeBytes: 2_048, mode: 0o644 });
 * for (const { packages, path } of evidence.list(() => true)) console.log(packages, path);
 */
export class LayerEvidence {
  readonly #budget: MemoryBudget;
  readonly #rules: EvidenceRules;
  readonly #byKind = new Map<UnassessedKind, KindEvidence>();
  readonly #folders: readonly SeenFolders[];

  constructor(budget: MemoryBudget, rules: EvidenceRules) {
    this.#budget = budget;
    this.#rules = rules;
    this.#folders = rules.folders.map((rule) => ({ rule, first: new Map(), last: undefined, more: 0 }));
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
    const kind = this.#rules.find(path);
    if (kind !== undefined) this.#add(kind, path);
    for (const seen of this.#folders) this.#seeFolder(seen, path);
    const marks = mayHaveMark(file) && !isOfPythonTests(path) && this.#watchMarks(path, { ...file, kind, onMark });
    const watched = kind === undefined ? this.#rules.findWatched(path) : [];
    if (watched.length === 0) return marks; // nearly all files
    const watchers = watched.flatMap(({ kind: found, watch }) => watch?.(() => this.#add(found, path)) ?? []);
    const packed = watched.filter((rule) => rule.packed !== undefined);
    if (packed.length > 0) watchers.push(watchPackedTar((member) => this.#addPacked(packed, path, member)));
    return allOf(marks === false ? watchers : [...watchers, marks]);
  }

  /** Adds the kinds of packages that the name of a member of an archive shows; returns whether there are any. */
  #addPacked(rules: readonly WatchedEvidence[], path: string, member: string): boolean {
    const found = rules.filter(({ packed }) => packed?.test(member) === true);
    for (const { kind } of found) this.#add(kind, path);
    return found.length > 0;
  }

  #watchMarks(path: string, { kind, mode, sizeBytes, onMark }: WatchedFile): Watcher {
    const mayBeExecuted = kind === undefined && (mode & anyExecuteBit) !== 0;
    const watch = mayBeExecuted ? watchExecutableFile : watchProgram;
    return watch((mark) => {
      const marked = this.#rules.kindOf(mark);
      if (marked !== undefined) this.#add(marked, path);
      onMark(mark);
    }, sizeBytes);
  }

  /** Removes a file that a later entry of the layer replaces. */
  forget(path: string): void {
    for (const { paths } of this.#byKind.values()) paths.delete(path);
  }

  /** The evidence in files that exist at the end of the layer, sorted by kind and path. */
  list(isThere: (path: string) => boolean): EvidenceFinding[] {
    for (const { rule, first, more } of this.#folders) {
      for (const path of first.values()) this.#add(rule.kind, path);
      const kept = this.#byKind.get(rule.kind);
      if (kept !== undefined) kept.more += more;
    }
    return unassessedKinds.flatMap((packages) => {
      const { paths = [], more = 0 } = this.#byKind.get(packages) ?? {};
      const existing = [...paths].filter(isThere).sort();
      return existing.map((path, index): EvidenceFinding => {
        const pieces = index === existing.length - 1 ? 1 + more : 1;
        return { kind: "evidence", path, packages, pieces };
      });
    });
  }

  #seeFolder(seen: SeenFolders, path: string): void {
    const folder = seen.rule.folderOf(path);
    if (folder === undefined || folder === seen.last) return;
    seen.last = folder;
    if (seen.first.has(folder)) return;
    if (seen.first.size === maxPaths) {
      seen.more++;
      return;
    }
    this.#budget.take(folder.length + path.length);
    seen.first.set(folder, path);
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

/** Several watchers of one file. */
function allOf(watchers: readonly Watcher[]): Watcher {
  let left = watchers;
  return (part) => {
    left = left.filter((watch) => watch(part));
    return left.length > 0;
  };
}
