import { fingerprintText } from "../bytes/fingerprint.ts";
import { parentOf, targetPath } from "../layer/paths.ts";
import { isTestData } from "../layer/test-data.ts";
import { atOnce } from "../model/at-once.ts";
import type { UnassessedKind } from "../model/index-report.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { EvidencePackage, EvidenceRule, FileEvidence, FolderEvidence, MarkEvidence } from "../plugins/evidence.ts";
import { type FileNames, pluginsByName } from "../plugins/plugins-by-name.ts";
import type { Watcher } from "../tar/entry.ts";

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
  const files = rules.filter((rule): rule is FileEvidence => !("folderOf" in rule || "mark" in rule)).map(safeFile);
  const marks = rules.filter((rule): rule is MarkEvidence => "mark" in rule);
  const folders = rules.filter((rule): rule is FolderEvidence => "folderOf" in rule).map(safeFolder);
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

/** A file of which a rule cannot tell is evidence of a package that is not read: no function of a rule fails. */
function safeFile(rule: FileEvidence): FileEvidence {
  const { where, unless, packed, watch } = rule;
  return {
    ...rule,
    where: where && { test: (path) => answerOr(true, () => where.test(path)) },
    unless: unless && { test: (path) => answerOr(false, () => unless.test(path)) },
    packed: packed && { test: (member) => answerOr(true, () => packed.test(member)) },
    packageOf: safePackageOf(rule),
    watch: watch && ((onFound) => safeWatcher(watch, onFound)),
  };
}

/** As {@link safeFile}, and outside of data of tests. */
function safeFolder(rule: FolderEvidence): FolderEvidence {
  return {
    ...rule,
    folderOf(path) {
      const folder: unknown = answerOr(path, () => rule.folderOf(path));
      if (folder === undefined || isTestData(path)) return undefined;
      return typeof folder === "string" ? folder : path;
    },
    packageOf: safePackageOf(rule),
  };
}

/** No package has it: evidence of it is not read. */
const unknownPackage: EvidencePackage = { name: "", version: "" };

function safePackageOf({ packageOf }: FileEvidence | FolderEvidence): FileEvidence["packageOf"] {
  return (
    packageOf &&
    ((path) => {
      const found = answerOr(unknownPackage, () => packageOf(path));
      const isPackage = typeof found?.name === "string" && typeof found.version === "string";
      return found === undefined || isPackage ? found : unknownPackage;
    })
  );
}

function safeWatcher(watch: NonNullable<FileEvidence["watch"]>, onFound: () => void): Watcher {
  const found = () => {
    onFound();
    return false;
  };
  const watcher = answerOr(found, () => watch(onFound));
  return (part) => {
    try {
      return atOnce(watcher(part), "watch");
    } catch {
      return found();
    }
  };
}

/** What a function of a rule answers; the doubtful answer if it fails or is asynchronous. */
function answerOr<Answer>(doubtful: Answer, ask: () => Answer): Answer {
  try {
    return atOnce(ask(), "evidence");
  } catch {
    return doubtful;
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
