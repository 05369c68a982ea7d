import { ScanError } from "../../errors.ts";
import { foldersAbove, joinPath, parentOf, targetPath } from "../../layer/paths.ts";
import { isTestData } from "../../layer/test-data.ts";
import { isObject, type JsonObject, memberOf, textOf } from "../../model/json-object.ts";
import type { DetectOptions, FileDetector, FileEntry, LayerFile, LayerLink } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { findJson, readJson } from "../language/json-file.ts";
import { type Proof, provenPackage } from "../language/proof.ts";
import { isPlain } from "../linux/text.ts";
import { npmDetails } from "./details.ts";
import { pnpFiles } from "./evidence.ts";
import { textsOf } from "./lock-files/for-some-platforms.ts";

/**
 * The root of a package in `node_modules`, and the folders of Debian's packages of Node.js modules. Yarn with `nodeLinker: pnpm` has the packages in
 * `node_modules/.store/NAME-HASH/package`. Electron's applications may have an archive `node_modules.asar` in place of the folder.
 * @see https://yarnpkg.com/features/linkers
 */
const places =
  /(?:(?:^|\/)node_modules(?:\.asar)?\/(?:(?:@[^/]+\/)?[^/@.][^/]*|\.store\/[^/]+\/package)|^usr\/(?:share|lib)\/nodejs\/(?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/;

/** What a link in `node_modules` may be: a package, a folder of packages with a scope, or the folder of all packages. */
const links = /(?:(?:^|\/)node_modules|^usr\/(?:share|lib)\/nodejs)(?:\/(?:@[^/]+(?:\/[^/]+)?|[^/@.][^/]*))?$/;

/** The project itself: any other folder outside `node_modules`. What is there inside a package is the package's own, such as its tests. */
const outside = /^(?!(?:.*\/)?node_modules\/|usr\/(?:share|lib)\/nodejs\/)/;

/** A folder that is in `node_modules` and is no package, in which a tool keeps packages to which links lead. */
const linked = /(?:^|\/)node_modules\/\.[^/]+\/(?:@[^/]+\/)?[^/]+\/package\.json$/;

/** The largest `package.json` that is read. */
const maxBytes = 4 * 1024 ** 2;

/**
 * A package in the cache from which Deno runs packages of npm, `npm/HOST/NAME/VERSION/package.json`, in a folder with any name. A second copy for other
 * peer dependencies has the version `1.0.0_1`.
 * @see https://docs.deno.com/runtime/reference/env_variables/ (`DENO_DIR`)
 */
const denoCache =
  /(?:^|\/)npm\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:_\d+)?\/(?:@[^/]+\/)?[^/@.][^/]*\/\d[^/]*\/package\.json$/;

/**
 * A package in the cache of Bun, from which it installs packages and runs those of programs without `node_modules`: `NAME@VERSION@@@1`, or
 * `NAME@VERSION@@HOST@@@1` of another registry, in a folder with any name. Before 1.0 the folder ended with the version.
 * @see https://bun.com/docs/pm/global-cache
 */
const bunCache = /(?:(?:^|\/)\.bun\/install\/cache\/(?:@[^/]+\/)?[^/@.][^/@]*@[^/]+|[^/]@@@\d+)\/package\.json$/;

/**
 * Package managers themselves, each with its dependencies in one file: Yarn 1 in the images of Node.js, and what Corepack and Volta have downloaded.
 * @see https://github.com/nodejs/corepack#environment-variables (`COREPACK_HOME`)
 */
const managers =
  /(?:^opt\/yarn-v[^/]+|(?:^|\/)(?:corepack(?:\/v\d+)?|tools\/image)\/(?:npm|pnpm|yarn)\/\d[^/]*)\/package\.json$/;

/** A package that another package contains: `next/dist/compiled/glob`. Its description may be cut down, and have no version. */
const vendored = /\/(?:bundled|compiled|third[-_]?party|vendor(?:ed|s)?)\/(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/;
const inPackage = /(?:^|\/)node_modules\/[^/]+\//;

/** Whether a file describes an installed package, by its path. */
function isOfPackage(path: string): boolean {
  if (vendored.test(path) && inPackage.test(path)) return true;
  return [places, denoCache, bunCache, managers].some((each) => each.test(path));
}

/**
 * Finds packages that npm, Yarn, pnpm or Bun has installed by their `package.json`, those that a Python package bundles, and applications beside whose
 * `package.json` their dependencies are installed, or which a link in `node_modules` installs where they are: members of a workspace, and what `npm
 * link` links. The file has the published name of the package; the name of the folder may be an alias.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json
 */
export const npmDetector: FileDetector = {
  name: "npm-package-json",
  revision: 16,
  names: { endings: ["package.json"] },
  wants: ({ path }: FileEntry) =>
    isDescription.test(path) && (isOfPackage(path) || outside.test(path) || linked.test(path)),
  *detect(file: LayerFile, options: DetectOptions = {}): Iterable<Finding> {
    if (isOfPackage(file.path)) yield* installedPackage(file, options);
    else yield* project(file);
  },
  *links({ path, target }: LayerLink): Iterable<Finding> {
    if (places.test(path)) yield { kind: "link", path, target, toFile: true };
    if (!links.test(path)) return;
    const folder = targetPath(parentOf(path), target);
    if (places.test(`${folder}/package.json`)) return; // the package is found there
    const toPackages = /(?:^|\/)(?:node_modules|@[^/]+)$/.test(path);
    yield { kind: "link", path, target, toPackages: toPackages || undefined };
  },
};

/**
 * Finds the package managers that Corepack has downloaded: `.corepack` names them. Yarn 2 and later is one file without a description.
 *
 *     {"locator": {"name": "yarn", "reference": "4.0.0+sha224.1f"}, …}
 * @see https://github.com/nodejs/corepack/blob/main/sources/corepackUtils.ts
 */
export const corepackDetector: FileDetector = {
  name: "corepack",
  revision: 1,
  names: { endings: [".corepack"] },
  wants: ({ path }: FileEntry) => /(?:^|\/)\.corepack$/.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    const locator = isObject(json) && isObject(json.locator) ? json.locator : {};
    const name = textOf(locator.name);
    const [version = ""] = textOf(locator.reference).split("+", 1);
    if (name === "") throw new ScanError("malformed_package_db", "expected a locator with a name, found none");
    yield provenPackage(file, { name, version: /^\d/.test(version) ? version : "" }); // or the address of an archive
  },
};

/** Opens the archives in which Electron's applications are shipped, also under another name. @see https://www.electronjs.org/docs/latest/tutorial/asar-archives */
export const asarDetector: FileDetector = {
  name: "electron-asar",
  revision: 3,
  opens: { packages: "npm", format: "asar", isArchive: ({ path }) => !isTestData(path) },
  programs: "asar",
  names: { endings: [".asar"] },
  wants: ({ path }: FileEntry) => /\.asar$/i.test(path),
  detect: () => [],
};

const isDescription = /(?:^|\/)package\.json$/;

function* installedPackage(file: LayerFile, { details = true }: DetectOptions): Iterable<Finding> {
  const json = readJson(file, maxBytes);
  if (!isObject(json)) throw new ScanError("malformed_package_db", "expected an object, found something else");
  const version = textOf(json.version);
  const name = textOf(json.name) || (version === "" ? "" : nameOfFolder(file.path));
  // a file without name and version is not a package of a registry: it sets only the module format
  if (name !== "" && (version !== "" || json.private !== true))
    yield provenPackage(file, { name, version, details: details ? npmDetails(json) : undefined });
}

/** `@scope/name` of a folder directly in `node_modules`, in which package managers install the package of that name. */
function nameOfFolder(path: string): string {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/.exec(path)?.[1] ?? "";
}

/** A file that cannot be read is none of a package: it may be a template, or broken for a test. */
function* project(file: LayerFile): Iterable<Finding> {
  const json = findJson(file, maxBytes);
  if (!isObject(json)) return;
  yield* application(file, json);
  if (file.archive === undefined) yield* needs(file, json);
}

/** Values of dependencies that no registry has: folders of the project. */
const local = /^(?:workspace|link|portal|file):/;
/** `npm:NAME@RANGE`: the package has another name than the dependency. */
const alias = /^npm:(@?[^@]+)/;

/** What a project needs, and the folders of the members of its workspace, which share its lock file. */
function* needs({ path }: LayerFile, { name: own, workspaces, ...stated }: JsonObject): Iterable<Finding> {
  const { dependencies, devDependencies, optionalDependencies } = stated;
  if (textOf(own) === "" && ![dependencies, devDependencies, workspaces].some((each) => each !== undefined)) return;
  const needed = Object.entries(isObject(dependencies) ? dependencies : {}).filter(
    ([name, range]) => !local.test(textOf(range)) && memberOf(optionalDependencies, name) === undefined,
  );
  const names = needed.map(([name, range]) => alias.exec(textOf(range))?.[1] ?? name);
  const members = textsOf(isObject(workspaces) ? workspaces.packages : workspaces);
  if (![...names, ...members, textOf(own)].every(isPlain)) return;
  yield {
    kind: "needs",
    path,
    packages: "npm",
    names,
    marksDevelopment: isObject(devDependencies) || undefined,
    isAllForUse: (isObject(dependencies) && !hasMembers(devDependencies)) || undefined,
    name: textOf(own) || undefined,
    members: workspaces === undefined ? undefined : members,
  };
}

function hasMembers(stated: JsonObject[string] | undefined): boolean {
  return isObject(stated) && Object.keys(stated).length > 0;
}

function* application(file: LayerFile, json: JsonObject): Iterable<Finding> {
  const [name, version] = [textOf(json.name), textOf(json.version)];
  if (name === "" || !isPlain(name) || !isPlain(version)) return;
  const isPrivate = json.private === true || isOfEditor(json);
  const isBundled = bundled.test(file.path) && entryPoints.some((member) => member in json);
  if (isPrivate ? version === "" || isBundled : noRelease.test(version)) return;
  const details = npmDetails(json);
  if (version === "") {
    yield provenPackage(file, { name, version, details, dependenciesIn: [] }); // counts only if a link installs it
    return;
  }
  if (isBundled) yield provenPackage(file, { name, version, details });
  else
    yield provenPackage(file, {
      name,
      version,
      details,
      qualifiers: isPrivate ? { private: "true" } : undefined, // no registry has it: advisories are about another one of the name
      dependenciesIn: dependenciesOf(file),
      ...neededAbove(file, json),
    });
}

/** Whether it describes an extension of Visual Studio Code, which is published elsewhere: `PUBLISHER.NAME`. @see https://code.visualstudio.com/api/references/extension-manifest */
function isOfEditor({ publisher, engines }: JsonObject): boolean {
  return textOf(publisher) !== "" && textOf(memberOf(engines, "vscode")) !== "";
}

/** Dependencies by which a part of a project is recognized. */
const mostDependencies = 64;

/** Parts of projects that no program runs. */
const sources = /(?:^|\/)(?:__tests__|demos?|docs?|examples?|fixtures?|playground|samples?|spec|templates?|tests?)\//;

/**
 * What a part of a project needs (`app/server/package.json`) and where it is looked for: in its own `node_modules`, which may have only links, and in those
 * above it, in which Node.js looks for what it imports. Not above without an entry point: the description then only serves to build pages.
 */
function neededAbove({ path }: LayerFile, json: JsonObject): Pick<Proof, "dependencies" | "dependencyFolders"> {
  const needed = isObject(json.dependencies) ? Object.keys(json.dependencies).slice(0, mostDependencies) : [];
  if (needed.length === 0 || linked.test(path)) return {};
  const isPart = (entryPoints.some((member) => member in json) || isStarted(json)) && !sources.test(path);
  const [own = "", ...above] = [parentOf(path), ...foldersAbove(parentOf(path))];
  const folders = isPart ? [own, ...above] : [own];
  return { dependencies: needed, dependencyFolders: folders.map((folder) => joinPath(folder, "node_modules")) };
}

/** Whether `npm start` runs it. */
function isStarted({ scripts }: JsonObject): boolean {
  return isObject(scripts) && typeof scripts.start === "string";
}

/** The version in the sources of projects whose releases get another one when they are built. */
const noRelease = /^0\.0\.0(?:$|-)/;

/** Members of a description by which other programs use the package. The sources of pages, which builds copy elsewhere, mostly have none of them. */
const entryPoints = ["bin", "browser", "exports", "main", "module"] as const;

/** A folder of a Python package, which may contain a package of npm: `playwright/driver/package`; the extensions of JupyterLab. */
const bundled = /(?:(?:^|\/)(?:site|dist)-packages|\.(?:egg|whl)|\/jupyter\/labextensions)\/[^/]+\//;

/** `node_modules` beside the description, or, with Yarn's Plug'n'Play, `.yarn` or what `.pnp.cjs` lists. */
function dependenciesOf({ path }: LayerFile): readonly string[] {
  if (linked.test(path)) return [];
  const folder = path.slice(0, -"package.json".length);
  return ["node_modules", "node_modules.asar", ".yarn", ...pnpFiles].map((name) => folder + name);
}
