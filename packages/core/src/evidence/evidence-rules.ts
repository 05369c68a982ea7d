import { fingerprintText } from "../bytes/fingerprint.ts";
import { parentOf, targetPath } from "../layer/paths.ts";
import { isTestData } from "../layer/test-data.ts";
import { atOnce } from "../model/at-once.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { EvidencePackage, EvidenceRule, FileEvidence, FolderEvidence, MarkEvidence } from "../plugins/evidence.ts";
import { type FileNames, pluginsByName } from "../plugins/plugins-by-name.ts";

/** The rules of several ecosystems, ready to be asked about paths. */
export interface EvidenceRules {
  /** The kind of packages whose presence the path of a file shows; undefined for most files. */
  find(path: string): UnassessedKind | undefined;
  /** The rules for a file of which only the content shows whether it is evidence. */
  findWatched(path: string): readonly WatchedEvidence[];
  /** The kind of packages that a lock file lists, by its name, wherever it is; undefined for another file. */
  lockFileKind(path: string): UnassessedKind | undefined;
  /** The names of all lock files, and of the files that list packages for them. */
  readonly lockFileNames: FileNames;
  /** Whether a file lists packages: a lock file, or one that lists them for it. */
  listsPackages(path: string): boolean;
  /** The file that lists the packages of a lock file: mostly itself. */
  listOf(path: string): string;
  /** The package that a path names which is evidence of a kind; undefined if it names none. */
  packageOf(kind: UnassessedKind, path: string): EvidencePackage | undefined;
  /** The kind of packages whose presence a mark shows. */
  kindOf(mark: BuildMark): UnassessedKind | undefined;
  readonly folders: readonly FolderEvidence[];
  /** Changes with the rules, as far as they are data. Goes into the state of an engine. */
  readonly state: string;
}

/** A rule by which the content of a file is watched. */
export type WatchedEvidence = FileEvidence &
  (Required<Pick<FileEvidence, "watch">> | Required<Pick<FileEvidence, "packed">>);

/**
 * Makes the rules of several ecosystems into one.
 * @example
 * const rules = createEvidenceRules([{ kind: "java", extensions: ["jar"] }]);
 * rules.find("opt/app.jar"); // "java"
 */
export function createEvidenceRules(rules: readonly EvidenceRule[]): EvidenceRules {
  const files = rules.filter((rule): rule is FileEvidence => !("folderOf" in rule || "mark" in rule));
  const marks = rules.filter((rule): rule is MarkEvidence => "mark" in rule);
  const folders = rules.filter((rule): rule is FolderEvidence => "folderOf" in rule).map(outsideTests);
  const byFile = rulesBy(files, ({ files: names = [] }) => names);
  const byExtension = rulesBy(files, ({ extensions = [] }) => extensions);
  const mayBeNamed = pluginsByName([{ names: namesOf(files) }]);
  const rulesFor = (path: string): readonly FileEvidence[] => {
    if (mayBeNamed(path).length === 0) return none; // nearly no path is named like the file of a rule; names need three characters for that
    const name = nameOf(path).toLowerCase();
    const dot = name.lastIndexOf(".");
    const ofExtension = dot > 0 ? (byExtension.get(name.slice(dot + 1)) ?? none) : none;
    const before = name.lastIndexOf(".", dot - 1);
    const ofTwo = dot > 0 && before > 0 ? (byExtension.get(name.slice(before + 1)) ?? none) : none;
    return [...(byFile.get(name) ?? none), ...ofExtension, ...ofTwo];
  };
  const matching = (path: string): readonly FileEvidence[] => {
    const found = rulesFor(path);
    return found.length === 0 ? none : found.filter((rule) => matches(rule, path));
  };
  const lockRule = (path: string) =>
    rulesFor(path).find((rule) => rule.isLockFile === true && rule.where?.test(path) !== false);
  const locks = files.filter(({ isLockFile }) => isLockFile === true);
  const lists = new Set(locks.flatMap(({ listedIn }) => (listedIn === undefined ? [] : nameOf(listedIn))));
  return {
    find: (path) => matching(path).find((rule) => !isWatched(rule))?.kind,
    findWatched(path) {
      const found = matching(path);
      return found.length === 0 ? [] : found.filter((rule) => isWatched(rule));
    },
    lockFileKind: (path) => lockRule(path)?.kind,
    lockFileNames: { endings: [...(namesOf(locks).endings ?? []), ...lists] },
    listsPackages: (path) => lockRule(path) !== undefined || lists.has(nameOf(path)),
    listOf(path) {
      const list = lockRule(path)?.listedIn;
      return list === undefined ? path : targetPath(parentOf(path), list);
    },
    packageOf(kind, path) {
      const stating = [...matching(path), ...folders.filter((each) => each.folderOf(path) !== undefined)];
      return stating.find((each) => each.kind === kind && each.packageOf !== undefined)?.packageOf?.(path);
    },
    kindOf: (mark) => marks.find((rule) => rule.mark === mark)?.kind,
    folders,
    state: fingerprintText(JSON.stringify(rules, asText)),
  };
}

function isWatched(rule: FileEvidence): rule is WatchedEvidence {
  return rule.watch !== undefined || rule.packed !== undefined;
}

/** Patterns and functions have no form in JSON. The text of a function differs between builds. */
function asText(_: string, value: unknown): unknown {
  if (value instanceof RegExp) return String(value);
  return typeof value === "function" ? "function" : value;
}

const none: readonly FileEvidence[] = [];

/** The name of a file without its folders. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function matches({ where, unless }: FileEvidence, path: string): boolean {
  return where?.test(path) !== false && unless?.test(path) !== true && !isTestData(path);
}

function outsideTests(rule: FolderEvidence): FolderEvidence {
  return {
    ...rule,
    folderOf(path) {
      const folder = folderIn(rule, path);
      return folder === undefined || isTestData(path) ? undefined : folder;
    },
  };
}

/** The folder by a rule. A file of which the rule cannot tell is evidence: it may be of a package. */
function folderIn(rule: FolderEvidence, path: string): string | undefined {
  try {
    const folder: unknown = atOnce(rule.folderOf(path), "folderOf");
    return folder === undefined || typeof folder === "string" ? folder : path;
  } catch {
    return path;
  }
}

function rulesBy(
  rules: readonly FileEvidence[],
  namesIn: (rule: FileEvidence) => readonly string[],
): ReadonlyMap<string, readonly FileEvidence[]> {
  const pairs = rules.flatMap((rule) => namesIn(rule).map((name) => [name.toLowerCase(), rule] as const));
  const groups = Map.groupBy(pairs, ([name]) => name);
  return new Map(Array.from(groups, ([name, found]) => [name, found.map(([, rule]) => rule)] as const));
}

function namesOf(rules: readonly FileEvidence[]): FileNames {
  const endings = rules.flatMap(({ files = [], extensions = [] }) => [
    ...files,
    ...extensions.map((each) => `.${each}`),
  ]);
  return { endings: [...new Set(endings)] };
}
