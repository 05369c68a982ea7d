import { foldersAbove, nameOf, parentOf, targetPath } from "../layer/paths.ts";
import type { ImageStart } from "../model/image-manifest.ts";
import type { IndexReport } from "../model/index-report.ts";
import { distributionPackageKey, languageKey, type Package } from "../model/package.ts";
import { chainsIn, type DependencyGraph, dependencyGraph } from "./dependency-graph.ts";
import { spellings } from "./owned-files.ts";

/** What is known of the use of a package in an image. */
export interface PackageUse {
  /**
   * The packages by which it is needed: the first is needed by none, each other one by that before it, and the package by the last. Of a longer chain, the
   * last 32. Absent if no package needs it, or it is not known.
   */
  readonly neededBy?: readonly Package[] | undefined;
  /**
   * `no evidence`: nothing in the image is known to need it, and what the image starts is known and does not lead to it. It does not follow that the package
   * is not used. Absent if there is evidence, or if it is not known what the image starts.
   */
  readonly reached?: "no evidence" | undefined;
}

/** How many packages of a chain are named: each of thousands of packages in one chain would name thousands. */
const mostNeeders = 32;

/**
 * A function that says what is known of the use of a package, by its id. Of the report, it keeps only the packages.
 * @param start undefined where it is not known
 * @example
 * declare const report: IndexReport;
 * const useOf = packageUses(report, { command: ["node", "server.js"], folder: "/app" });
 * console.log(useOf("12").neededBy);
 */
export function packageUses(report: IndexReport, start: ImageStart | undefined): (id: string) => PackageUse {
  const graph = dependencyGraph(report);
  const chainTo = graph && chainsIn(graph);
  const found = reachedPackages(report, graph, start);
  const { packages } = report;
  return (id) => {
    const chain = chainTo?.(id, mostNeeders + 1)?.slice(0, -1) ?? [];
    return {
      neededBy: chain.length === 0 ? undefined : chain.flatMap((each) => packages[each] ?? []),
      reached: found === undefined || found.hasEvidence(id) ? undefined : "no evidence",
    };
  };
}

/** Which packages of an image are known to be used: by what the image starts, or by other packages. */
export interface ReachedPackages {
  /** The ids of the packages that the image starts: programs, applications, and packages of the distribution that installed them. */
  readonly entries: readonly string[];
  /** Whether a package is one of these, or any other package needs it. */
  hasEvidence(id: string): boolean;
}

/** The paths that are searched for a program if the image does not say. */
const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Further words of the command are not looked at. */
const maxWords = 64;

/**
 * Finds what an image starts, and which packages are needed. Where that may be only a part, as with a script or a package of which it is not known what it needs, every package has evidence. Undefined where it is not known: the image states no command, no package has the program or is the
 * application that an interpreter runs, or the report has no dependencies. Programs load more than packages state, so that nothing follows from missing evidence but where to look first.
 * @example
 * declare const report: IndexReport;
 * const reached = reachedPackages(report, dependencyGraph(report), { command: ["node", "server.js"], folder: "/app" });
 */
export function reachedPackages(
  report: IndexReport,
  graph: DependencyGraph | undefined,
  start: ImageStart | undefined,
): ReachedPackages | undefined {
  if (graph === undefined || start === undefined || changesFolder.test(start.command.join(" "))) return undefined;
  const { found, isWhole } = entriesOf(report, start);
  if (found.length === 0) return undefined;
  const entries = [...new Set([...found, ...ownersOf(report, found)])];
  const known = new Set([...entries, ...[...graph.needs.values()].flat()]);
  const isAll = isWhole && needsAreKnown(report, graph, found);
  return { entries, hasEvidence: (id) => !isAll || known.has(id) };
}

/**
 * Whether it is known of what is started, and of all that this needs, what it needs in turn. Packages of the distribution and programs do not load packages of
 * languages of which they do not say so.
 */
function needsAreKnown(report: IndexReport, graph: DependencyGraph, started: readonly string[]): boolean {
  const [unknown, incomplete] = [new Set(graph.unknown), new Set(graph.incomplete)];
  const isOfLanguage = (id: string) =>
    (report.environments[id] ?? []).some(({ repositoryIds }) =>
      repositoryIds.some((each) => {
        const { key, name } = report.repositories[each] ?? {};
        return key === languageKey && name !== programs;
      }),
    );
  const open = started.filter(isOfLanguage);
  const seen = new Set(open);
  for (const id of open) {
    if (unknown.has(id) || incomplete.has(id)) return false;
    for (const other of graph.needs.get(id) ?? []) {
      if (seen.has(other) || !isOfLanguage(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return true;
}

/** The repository of programs that are known by their content, such as interpreters. */
const programs = "generic";

/** In another folder, the words of a command name other files. */
const changesFolder = /(?:^|[\s;&|("'])cd\s/;

interface Entries {
  readonly found: readonly string[];
  /** Whether nothing else is started: no script, module, option, variable or health check that names more, or may. */
  readonly isWhole: boolean;
}

function entriesOf(report: IndexReport, start: ImageStart): Entries {
  const { command, folder = "/", searchPath = usualPath, startsMore = false } = start;
  const folders = searchPath.split(":").slice(0, maxWords);
  const tokens = tokensOf(command);
  const words = wordsOf(tokens);
  const pathsByWord = words.map((word) => {
    if (word.startsWith("/")) return [targetPath("", word)];
    const inFolder = targetPath(targetPath("", folder), word);
    return word.includes("/")
      ? [inFolder]
      : [inFolder, ...folders.map((each) => targetPath(targetPath("", each), word))];
  });
  const { at, applicationIn } = placesIn(report, new Set(pathsByWord.flat()));
  const byWord = pathsByWord.map((paths) => paths.map(at).find((ids) => ids.length > 0) ?? []);
  const application = applicationIn(targetPath("", folder)); // such as that of `npm start`
  const runsUnknown = words.some((word, index) => source.test(word) && byWord[index]?.length === 0);
  const runsModule = runsByName.some(
    ([program, option]) => words.some(isNamed(program)) && tokens.some(isNamed(option)),
  );
  if (application.length === 0 && (runsUnknown || runsModule)) return { found: [], isWhole: false };
  const runsScript = words.some((word, index) => {
    const isProgram = index === 0 && !interpreter.test(word);
    return (isProgram || word.endsWith(".sh")) && (byWord[index]?.length === 0 || source.test(word));
  });
  const found = [...application, ...byWord.flat()];
  // what begins another program may run anything, unless it is known what
  const runsMore = words.some((word, index) => {
    const isInterpreter = interpreter.test(word) && application.length === 0 && index + 1 < words.length;
    const isKnown = (at: number) => interpreter.test(words[at] ?? "") || (byWord[at]?.length ?? 0) > 0;
    return (runner.test(word) || isInterpreter) && !words.some((_, at) => at > index && isKnown(at));
  });
  const isUnknownFile = (word: string, index: number) => word.includes("/") && byWord[index]?.length === 0;
  const isOutside = (word: string, index: number) =>
    isUnknownFile(word, index) && scriptAt(words, index) && !isWithin(word, folder);
  const isInstalled = (word: string) =>
    word.includes("/") && installed.test(targetPath(targetPath("", folder), word)) && !archive.test(word);
  const runsFile =
    (isShellText(command) && words.some(isUnknownFile)) || words.some(isOutside) || words.some(isInstalled);
  const runsOthers =
    words.some(isNamed(startsOthers)) || (isShellText(command) && severalCommands.test(command[2] ?? ""));
  const isOpen = runsScript || runsMore || runsFile || runsUnknown || runsModule || runsOthers || startsMore;
  return { found, isWhole: !isOpen && !tokens.some(isNamed(loadsMore)) };
}

function isNamed(name: RegExp): (word: string) => boolean {
  return (word) => name.test(word);
}

/** Whether a word is the first behind an interpreter, which is the file that it runs. */
function scriptAt(words: readonly string[], index: number): boolean {
  return interpreter.test(words[index - 1] ?? "");
}

function isWithin(word: string, folder: string): boolean {
  return !word.startsWith("/") || word.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** Archives, each of which is a package. */
const archive = /\.(?:dll|jar|war)$/;

/** A shell text that has several commands. */
const severalCommands = /&&|\|\||[;\n]/;

/** Options by which an interpreter runs or loads what is no file among its words: a module by its name, or code. */
const runsByName: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/(?:^|\/)python[\d.]*$/, /^-[A-Za-z]*[cm]$/],
  [
    /(?:^|\/)java$/,
    /^(?:-p|-m|--module|--add-modules(?:=.*)?|-D(?:java\.(?:ext\.dirs|system\.class\.loader)|loader\.).*|-XX:(?:Flags|VMOptionsFile)=.*)$/,
  ],
  [/(?:^|\/)php$/, /^-[dz]/],
  [
    /(?:^|\/)(?:bun|deno|node|nodejs)$/,
    /^(?:-p|-pe|run|task|--(?:env-file|env-file-if-exists|experimental-config-file|experimental-default-config-file|run|snapshot-blob)(?:=.*)?)$/,
  ],
];

/** Programs that run one that is named behind them. */
const runner =
  /^(?:[\w./-]*\/)?(?:(?:ba|da|k|z|a)?sh|busybox|chroot|dumb-init|env|gosu|nice|nohup|runuser|setpriv|su|su-exec|sudo|timeout|tini)$/;

/** Programs that start others which the command does not name, as package managers do with the scripts of a project. */
const startsOthers =
  /^(?:[\w./-]*\/)?(?:circusd|cron|crond|foreman|forever|honcho|init|make|monit|nodemon|npm|npx|parallel|pm2(?:-runtime)?|pnpm|pnpx|runit|runsvdir|s6-svscan|supervisord|systemd|watchexec|xargs|xvfb-run|yarn|yarnpkg)$/;

/** Programs that run what the other words name, and nothing else. */
const interpreter =
  /^(?:[\w./-]*\/)?(?:bun|deno|dotnet|dumb-init|java|node|nodejs|npm|perl|php|pnpm|python[\d.]*|ruby|tini|yarn)$/;

/** Options of interpreters that load more than the program, and lists of options in files. */
const loadsMore =
  /^(?:@|-r$|-e$|-I|-cp$|-classpath$|--(?:require|import|loader|experimental-loader|class-path|module-path|eval)\b|-javaagent:|-agent(?:path|lib):|-Xbootclasspath|-Dloader\.)/;

/** The words of a command that may be programs or their files; also of one in a shell: `sh -c "exec java -jar app.jar"`. */
function wordsOf(tokens: readonly string[]): readonly string[] {
  return tokens.filter((word) => /^[\w./@+-]+$/.test(word) && !word.startsWith("-"));
}

/** The words of a command with its options; those of a shell text. */
function tokensOf(command: readonly string[]): readonly string[] {
  const words = isShellText(command)
    ? command.slice(2).flatMap((text) => text.slice(0, 4096).split(/[\s;&|"'()]+/))
    : command;
  return words.slice(0, maxWords);
}

function isShellText([first = "", second]: readonly string[]): boolean {
  return /(?:^|\/)(?:ba|da)?sh$/.test(first) && second === "-c";
}

interface Places {
  /** The packages of a wanted path: of that file, else the application in the nearest folder around it. */
  at(path: string): readonly string[];
  /** The application whose own folder it is. */
  applicationIn(folder: string): readonly string[];
}

/** @param wanted the paths that are looked up: few of the many that packages have */
function placesIn(report: IndexReport, wanted: ReadonlySet<string>): Places {
  const names = new Set([...wanted].map(nameOf));
  const byFile = new Map<string, Set<string>>();
  const add = (path: string, id: string) => {
    if (!wanted.has(path)) return;
    const known = byFile.get(path);
    if (known === undefined) byFile.set(path, new Set([id]));
    else known.add(id);
  };
  const applications = new Map<string, string[]>();
  for (const [id, places] of Object.entries(report.environments)) {
    for (const { packageDb } of places) {
      add(packageDb.split(":", 1)[0] ?? "", id);
      if (!description.test(packageDb) || installed.test(packageDb)) continue;
      const folder = parentOf(packageDb);
      const known = applications.get(folder); // of one file, there may be thousands
      if (known === undefined) applications.set(folder, [id]);
      else known.push(id);
    }
  }
  for (const [id, { provides = [] }] of Object.entries(report.details ?? {})) {
    for (const each of provides) {
      if (each.startsWith("/")) {
        if (names.has(nameOf(each))) for (const path of spellings(each.slice(1))) add(path, id);
        continue;
      }
      const [, name] = /^cmd:([^=<>~]+)/.exec(each) ?? [];
      if (name !== undefined && names.has(name))
        for (const folder of ["bin", "sbin", "usr/bin", "usr/sbin"]) add(`${folder}/${name}`, id);
    }
  }
  const applicationIn = (folder: string) => applications.get(folder) ?? [];
  const at = (path: string) => {
    const found = byFile.get(path);
    if (found !== undefined) return [...found];
    if (!source.test(path)) return [];
    const folder = [...foldersAbove(path)].find((each) => applications.has(each));
    return folder === undefined ? [] : applicationIn(folder);
  };
  return { at, applicationIn };
}

/** Files that describe the application in their folder. */
const description = /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|setup\.(?:cfg|py)|[^/]+\.deps\.json)$/;
/** Folders of packages that applications need. */
const installed = /(?:^|\/)(?:node_modules|vendor|site-packages|dist-packages)\//;
/** Files that an interpreter runs. */
const source = /\.(?:[cm]?[jt]s|dll|jar|php|pl|py|rb|war)$/;

/** The packages of the distribution that own the files of packages. */
function ownersOf(report: IndexReport, ids: readonly string[]): readonly string[] {
  const { environments, repositories } = report;
  const names = new Set(
    ids.flatMap((id) =>
      (environments[id] ?? []).flatMap(({ repositoryIds }) =>
        repositoryIds.flatMap((each) => {
          const { key, name } = repositories[each] ?? {};
          return key === distributionPackageKey && name !== undefined ? [name] : [];
        }),
      ),
    ),
  );
  if (names.size === 0) return [];
  const owners = Object.values(report.packages).filter(({ id, name }) => names.has(name) && isSystem(report, id));
  return owners.map(({ id }) => id);
}

/** Whether a package is of the distribution. */
function isSystem({ environments }: IndexReport, id: string): boolean {
  return (environments[id] ?? []).some(
    ({ distributionId, repositoryIds }) => distributionId !== undefined && repositoryIds.length === 0,
  );
}
