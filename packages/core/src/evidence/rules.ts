import type { UnassessedKind } from "../model/index-report.ts";

/** A rule for a file name: at a known place, the file describes a package. */
export interface NameRule {
  readonly kind: UnassessedKind;
  /** Tested on the whole path. */
  readonly where: RegExp;
  /** Places where a detector reads the file. */
  readonly unless?: RegExp;
}

const readByRpm = /^(?:usr\/lib\/sysimage|usr\/share|var\/lib)\/rpm\/[^/]+$/;
const readByApk = /^usr\/lib\/apk\/db\/installed$/;

/** Rules for files that describe an installed package or are a database of packages, by file name. */
export const nameRules: ReadonlyMap<string, readonly NameRule[]> = new Map<string, readonly NameRule[]>([
  ["package.json", [{ kind: "npm", where: /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/ }]],
  ["METADATA", [{ kind: "python", where: /\.dist-info\/METADATA$/ }]],
  ["PKG-INFO", [{ kind: "python", where: /(?:\.egg-info|\/EGG-INFO)\/PKG-INFO$/ }]],
  ["installed.json", [{ kind: "php", where: /(?:^|\/)composer\/installed\.json$/ }]],
  ["DESCRIPTION", [{ kind: "r", where: /(?:^|\/)(?:site-)?library\/(?:R-[^/]+\/[^/]+\/)?[^/]+\/DESCRIPTION$/ }]],
  [".packlist", [{ kind: "perl", where: /(?:^|\/)\.packlist$/ }]],
  ["rock_manifest", [{ kind: "lua", where: /(?:^|\/)rocks(?:-\d+\.\d+)?\/[^/]+\/[^/]+\/rock_manifest$/ }]],
  ["package_config.json", [{ kind: "dart", where: /(?:^|\/)\.dart_tool\/package_config\.json$/ }]],
  ["workspace-state.json", [{ kind: "swift", where: /(?:^|\/)(?:\.build|SourcePackages)\/workspace-state\.json$/ }]],
  ["conaninfo.txt", [{ kind: "cpp", where: /(?:^|\/)conaninfo\.txt$/ }]],
  // package managers, in any folder
  ["desc", [{ kind: "pacman", where: /(?:^|\/)var\/lib\/pacman\/local\/[^/]+\/desc$/ }]],
  ["CONTENTS", [{ kind: "portage", where: /(?:^|\/)var\/db\/pkg\/[^/]+\/[^/]+\/CONTENTS$/ }]],
  ["db.sqlite", [{ kind: "nix", where: /(?:^|\/)nix\/var\/nix\/db\/db\.sqlite$/ }]],
  ["INSTALL_RECEIPT.json", [{ kind: "homebrew", where: /(?:^|\/)Cellar\/[^/]+\/[^/]+\/INSTALL_RECEIPT\.json$/ }]],
  ["snap.yaml", [{ kind: "snap", where: /(?:^|\/)meta\/snap\.yaml$/ }]],
  [
    "metadata",
    [{ kind: "flatpak", where: /^var\/lib\/flatpak\/(?:app|runtime)\/[^/]+\/[^/]+\/[^/]+\/[^/]+\/metadata$/ }],
  ],
  ["status", [{ kind: "cpp", where: /(?:^|\/)vcpkg\/status$/ }]],
  // databases at places that the detectors do not read
  ["rpmdb.sqlite", [{ kind: "rpm", where: /(?:^|\/)rpmdb\.sqlite$/, unless: readByRpm }]],
  ["Packages.db", [{ kind: "rpm", where: /(?:^|\/)Packages\.db$/, unless: readByRpm }]],
  ["Packages", [{ kind: "rpm", where: /(?:^|\/)rpm(?:db)?\/Packages$/, unless: readByRpm }]],
  ["installed", [{ kind: "apk", where: /[^/]\/(?:usr\/)?lib\/apk\/db\/installed$/, unless: readByApk }]],
]);

/** Whether a file may be an rpm database, by its name. Other files have this name too, such as lists of apt. */
export function isPerhapsRpmDatabase(path: string): boolean {
  return /(?:^|\/)Packages$/.test(path) && !readByRpm.test(path);
}

/** Lock files of all languages, by file name. */
const lockFiles: ReadonlyMap<string, UnassessedKind> = new Map<string, UnassessedKind>([
  ["Cargo.lock", "rust"],
  ["Gemfile.lock", "ruby"],
  ["Package.resolved", "swift"],
  ["Pipfile.lock", "python"],
  ["Podfile.lock", "swift"],
  ["bun.lock", "npm"],
  ["bun.lockb", "npm"],
  ["cabal.project.freeze", "haskell"],
  ["composer.lock", "php"],
  ["buildscript-gradle.lockfile", "java"],
  ["conan.lock", "cpp"],
  ["conanfile.txt", "cpp"],
  ["conda-lock.yml", "conda"],
  ["deno.lock", "npm"],
  ["flake.lock", "nix"],
  ["gems.locked", "ruby"],
  ["go.sum", "go"],
  ["gradle.lockfile", "java"],
  ["mix.lock", "elixir"],
  ["npm-shrinkwrap.json", "npm"],
  ["package-lock.json", "npm"],
  ["packages.lock.json", "dotnet"],
  ["paket.lock", "dotnet"],
  ["pdm.lock", "python"],
  ["pixi.lock", "conda"],
  ["pnpm-lock.yaml", "npm"],
  ["poetry.lock", "python"],
  ["project.assets.json", "dotnet"],
  ["pubspec.lock", "dart"],
  ["pylock.toml", "python"],
  ["rebar.lock", "erlang"],
  ["renv.lock", "r"],
  ["settings-gradle.lockfile", "java"],
  ["stack.yaml.lock", "haskell"],
  ["uv.lock", "python"],
  ["yarn.lock", "npm"],
]);

/**
 * Lock files of which a part of the name is free: `pylock.NAME.toml`, `packages.PROJECT.lock.json`, `NAME.conda-lock.yml`, `NAME.gemfile.lock`.
 * @see https://packaging.python.org/en/latest/specifications/pylock-toml/#file-name
 * @see https://learn.microsoft.com/en-us/nuget/consume-packages/package-references-in-project-files#lock-file-extensibility
 */
const namedLockFiles: readonly (readonly [RegExp, UnassessedKind])[] = [
  [/^pylock\.[^.]+\.toml$/, "python"],
  [/^packages\..+\.lock\.json$/, "dotnet"],
  [/^.+\.conda-lock\.ya?ml$/, "conda"],
  [/^.+\.gemfile\.lock$/, "ruby"],
];

/** The endings of the names of lock files. */
export const lockFileEndings: readonly string[] = [
  ...lockFiles.keys(),
  ".lock",
  ".toml",
  ".lock.json",
  ".yml",
  ".yaml",
];

const lockFilesInLowerCase = new Map(Array.from(lockFiles, ([name, kind]) => [name.toLowerCase(), kind] as const));

/**
 * The kind of packages that a lock file lists, by its name without folders; undefined for other files. Upper and lower case are equal, as on the
 * machines of some authors.
 * @example
 * lockFileKind("pylock.prod.toml"); // "python"
 */
export function lockFileKind(name: string): UnassessedKind | undefined {
  const lower = name.toLowerCase();
  return lockFilesInLowerCase.get(lower) ?? namedLockFiles.find(([pattern]) => pattern.test(lower))?.[1];
}

/** A rule for a file name extension: the file is a package or describes one. */
export interface ExtensionRule {
  readonly kind: UnassessedKind;
  /** Tested on the whole path; absent: anywhere. */
  readonly where?: Pick<RegExp, "test">;
  /** Places where the file means nothing. */
  readonly unless?: Pick<RegExp, "test">;
}

const packageFolder =
  /(?:(?:^|\/)(?:site-packages|dist-packages|node_modules|gems)|\.(?:asar|egg|pex|pyzw?|whl|zip))\//;
const testFolder = /\/(?:__tests__|fixtures?|test[-_]?data|testing|tests?)\//;

/** Whether a file belongs to the tests of an installed package, or of a package in an archive. */
export function isTestData(path: string): boolean {
  const at = path.search(packageFolder);
  return at >= 0 && testFolder.test(path.slice(at));
}

const inYarnCache = /(?:^|\/)\.?yarn\/(?:berry\/)?cache\/[^/]+\.zip$/;
/** The end of the names that Yarn gives: `lodash-npm-4.17.21-6382451519-eb835a2e51.zip`. */
const yarnHashes = /-[0-9a-f]{10}-[0-9a-z]{1,128}\.zip$/;

/** Whether a file is the archive of a package in a cache of Yarn. The folder may have any name (`cacheFolder`). */
export function isYarnArchive(path: string): boolean {
  if (!path.endsWith(".zip")) return false;
  return inYarnCache.test(path) || (yarnHashes.test(path) && /-(?:npm|patch)-/.test(path));
}

/** Rules for files that are a package or describe one, by lower-case extension. */
export const extensionKinds: ReadonlyMap<string, readonly ExtensionRule[]> = new Map<string, readonly ExtensionRule[]>([
  ...["aar", "ear", "esa", "hpi", "jar", "jpi", "kar", "lpkg", "nar", "par", "sar", "wab", "war"].map(
    (extension) => [extension, [{ kind: "java" }]] as const,
  ),
  ["app", [{ kind: "erlang", where: /(?:^|\/)ebin\/[^/]+\.app$/ }]],
  ["asar", [{ kind: "npm" }]],
  ["conf", [{ kind: "haskell", where: /(?:^|\/)package\.conf\.d\/[^/]+\.conf$/ }]],
  ...["egg", "pex", "pyz", "pyzw", "whl"].map(
    (extension) => [extension, [{ kind: "python", unless: { test: isTestData } }]] as const,
  ),
  ["egg-info", [{ kind: "python" }]],
  ["gemspec", [{ kind: "ruby", where: /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/ }]],
  [
    "json",
    [
      { kind: "dotnet", where: /\.deps\.json$/ },
      { kind: "conda", where: /(?:^|\/)conda-meta\/[^/]+\.json$/ },
    ],
  ],
  ["reg", [{ kind: "php", where: /(?:^|\/)\.registry\/(?:\.channel\.[^/]+\/)?[^/]+\.reg$/ }]],
  ["snap", [{ kind: "snap", where: /(?:^|\/)var\/lib\/snapd\/(?:snaps|seed\/snaps)\/[^/]+$/ }]],
  ["zip", [{ kind: "npm", where: { test: isYarnArchive }, unless: { test: isTestData } }]],
  ["spdx", [{ kind: "bitnami", where: /^opt\/bitnami\/.*\/\.spdx-[^/]+$/ }]],
]);
