/**
 * The files by which a Python project describes itself to build tools:
 *
 * ```
 * pyproject.toml: [project] or [tool.poetry]: name, version, dependencies; dynamic = ["version"]
 * setup.cfg:      [metadata] name, version     [options] install_requires, one in a line
 * setup.py:       setup(name="…", version="…", install_requires=["…", …]), a program of which only plain texts are read
 * ```
 * @see https://packaging.python.org/en/latest/specifications/pyproject-toml/
 * @see https://setuptools.pypa.io/en/latest/userguide/declarative_config.html
 */
import { joinPath, nameOf, parentOf } from "../../layer/paths.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding, NeedsFinding } from "../../plugins/finding.ts";
import { headerLines } from "../language/header-fields.ts";
import { provenPackage } from "../language/proof.ts";
import { type TomlTable, tomlInlineTables, tomlTables, tomlText, tomlTexts } from "../language/toml-tables.ts";
import { decodeText, isPlain } from "../linux/text.ts";
import { evaluateMarker } from "./markers.ts";
import { parseMetadata } from "./metadata.ts";

/** A project as one of its files describes it. */
interface PythonProject {
  readonly name: string;
  /** Empty if it is computed when the project is built. */
  readonly version: string;
  /** The names of the packages that it needs. */
  readonly dependencies: readonly string[];
}

/** The project that a file describes; undefined if it has no name, or neither a version nor a way to compute one. */
function readProject(file: string, text: string): PythonProject | undefined {
  const found = readers.get(file)?.(text);
  if (found === undefined || found.name === "" || !isPlain(found.name) || !isPlain(found.version)) return undefined;
  const dependencies = found.dependencies.filter((name) => name !== "python" && isPlain(name));
  return { ...found, dependencies: dependencies.slice(0, mostDependencies) };
}

const readers: ReadonlyMap<string, (text: string) => PythonProject | undefined> = new Map([
  ["pyproject.toml", ofPyproject],
  ["setup.cfg", ofSetupCfg],
  ["setup.py", ofSetupPy],
]);

/** The names of the files. */
const projectFiles: readonly string[] = [...readers.keys()];

/** The version of projects whose releases get another one when they are built. */
const noRelease = "0.0.0";

/** Extensions of Poetry that compute the version: `tool.poetry-dynamic-versioning`. */
const versioning = /^tool\.poetry-[\w-]*version/;

function ofPyproject(text: string): PythonProject | undefined {
  const tables = [...tomlTables(text)];
  const isComputed = (table: TomlTable) =>
    table.name === "project"
      ? tomlTexts(table, "dynamic").includes("version")
      : tables.some(({ name }) => versioning.test(name));
  const described = tables.filter(({ name }) => name === "project" || name === "tool.poetry");
  const found = described.flatMap((table) => {
    const [name, stated] = [tomlText(table, "name"), tomlText(table, "version")];
    const version = stated === noRelease ? "" : stated;
    const isProject = name !== "" && (version !== "" || isComputed(table));
    return isProject ? [{ name, version, dependencies: neededBy(table, tables) }] : [];
  });
  return found.find(({ version }) => version !== "") ?? found[0];
}

function neededBy(project: TomlTable, all: readonly TomlTable[]): readonly string[] {
  const ofPoetry = all.find(({ name }) => name === "tool.poetry.dependencies")?.members.keys() ?? [];
  return [...tomlTexts(project, "dependencies").flatMap(requiredName), ...ofPoetry];
}

/** The name in a requirement: `requests[socks]>=2; python_version > "3"`. */
function requiredName(requirement: string): readonly string[] {
  return /^[A-Za-z0-9][\w.-]*/.exec(requirement.trim()) ?? [];
}

function ofSetupCfg(text: string): PythonProject {
  const members = new Map<string, string>();
  let [section, key] = ["", ""];
  for (const line of text.split("\n")) {
    const [, title] = /^\[([^\]]*)\]/.exec(line) ?? [];
    const [, name, value = ""] = /^([\w-]+)[ \t]*[=:](.*)$/.exec(line) ?? [];
    if (title !== undefined) [section, key] = [title, ""];
    else if (name !== undefined) {
      key = `${section}.${name.replaceAll("-", "_")}`;
      members.set(key, value.trim());
    } else if (/^[ \t]/.test(line)) members.set(key, `${members.get(key) ?? ""}\n${line.trim()}`);
  }
  const version = members.get("metadata.version") ?? "";
  return {
    name: members.get("metadata.name") ?? "",
    version: /^(?:attr|file):/.test(version) ? "" : version,
    dependencies: (members.get("options.install_requires") ?? "").split("\n").flatMap(requiredName),
  };
}

/** Tables of what only developers need, of Poetry, PDM and the standard. */
const developmentTable =
  /^(?:dependency-groups|tool\.poetry\.(?:dev-dependencies|group\..*)|tool\.pdm\.dev-dependencies)$/;

/** Tables of parts that an installation may leave out, which often are for tests. */
const optionalTable = /^(?:project\.optional-dependencies|tool\.poetry\.extras|tool\.(?:hatch|pdm|rye|uv)\b.*)$/;

/** What a project needs on Linux in any case, by its `pyproject.toml`; undefined if that does not state it. */
export function readNeeds(text: string): Pick<NeedsFinding, "names" | "marksDevelopment" | "isAllForUse"> | undefined {
  const tables = [...tomlTables(text)];
  const project = tables.find(({ name }) => name === "project");
  const ofPoetry = tables.find(({ name }) => name === "tool.poetry.dependencies");
  const isDynamic = project !== undefined && tomlTexts(project, "dynamic").includes("dependencies");
  const states = project?.members.has("dependencies") === true || ofPoetry !== undefined;
  if (!states || isDynamic) return undefined;
  const stated = project === undefined ? [] : tomlTexts(project, "dependencies").filter(isCertain);
  const names = [...stated.flatMap(requiredName), ...certainIn(ofPoetry)];
  return {
    names: names.filter((name) => name !== "python" && isPlain(name)),
    marksDevelopment: tables.some(({ name }) => developmentTable.test(name)) || undefined,
    isAllForUse: !tables.some(({ name }) => developmentTable.test(name) || optionalTable.test(name)) || undefined,
  };
}

function isCertain(requirement: string): boolean {
  const [, ...marker] = requirement.replaceAll('\\"', '"').split(";");
  return marker.length === 0 || evaluateMarker(marker.join(";")) === true;
}

function certainIn(table: TomlTable | undefined): readonly string[] {
  return [...(table?.members ?? [])].flatMap(([name, value]) => {
    const [form] = tomlInlineTables(value);
    if (form === undefined) return [name];
    const isPart = ["markers", "optional", "path"].some((member) => form.members.has(member));
    return isPart || value.startsWith("[") ? [] : [name];
  });
}

/** The largest part of a program that is read after the call of `setup`. */
const mostOfProgram = 64 * 1024;

const argument = {
  name: /\bname[ \t]{0,20}=[ \t]{0,20}["']([A-Za-z0-9][\w.-]{0,200})["']/,
  version: /\bversion[ \t]{0,20}=[ \t]{0,20}["']([^"'\\\n]{1,200})["']/,
  required: /\binstall_requires[ \t]{0,20}=[ \t]{0,20}\[/,
};

function ofSetupPy(text: string): PythonProject | undefined {
  const at = text.search(/\bsetup[ \t]{0,20}\(/);
  if (at < 0) return undefined;
  const call = text.slice(at, at + mostOfProgram);
  const [, name = ""] = argument.name.exec(call) ?? [];
  const [, version = ""] = argument.version.exec(call) ?? [];
  const [, list = ""] = call.split(argument.required, 2);
  const [required = ""] = list.split("]", 1); // the bracket of an extra ends it too: `celery[redis]`
  const texts = required.split(/["']/).filter((_, index) => index % 2 === 1);
  return { name, version, dependencies: texts.flatMap(requiredName) };
}

/** A description in an installed package, or in a cache. */
const ofPackage = /(?:^|\/)(?:site-packages|dist-packages|node_modules|\.cache)\//;

/** The largest description that is read. */
const maxBytes = 1024 ** 2;

/**
 * Finds applications that are not installed as a package, by a file that describes the project: beside the environment with their packages, or
 * with packages of which half are in the image. A version that is computed is not known.
 */
export const pythonApplicationDetector: FileDetector = {
  name: "python-application",
  revision: 6,
  ignoresArchives: true,
  names: { endings: projectFiles },
  wants: ({ path, sizeBytes }: FileEntry) =>
    projectFiles.includes(nameOf(path)) && sizeBytes <= maxBytes && !ofPackage.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const text = decodeText(bytes);
    const needed = nameOf(path) === "pyproject.toml" ? readNeeds(text) : undefined;
    if (needed !== undefined) yield { kind: "needs", path, packages: "python", ...needed };
    const project = readProject(nameOf(path), text);
    if (project !== undefined) yield provenPackage({ path }, { ...project, dependenciesIn: environmentsBeside(path) });
  },
};

/** Those of a package that is installed, or that setuptools has prepared, are read in any case. */
const sourceInfo = /(?:^|\/)PKG-INFO$/;
const ofInstalled = /(?:\.(?:dist|egg)-info|EGG-INFO)\/PKG-INFO$/;

/**
 * Finds applications that run from the unpacked archive of their sources, whose `PKG-INFO` has the same form as the metadata of an installed package. They
 * count as those with a `pyproject.toml` do.
 * @see https://packaging.python.org/en/latest/specifications/source-distribution-format/
 */
export const pythonSourceDetector: FileDetector = {
  name: "python-sources",
  revision: 1,
  names: { endings: ["PKG-INFO"] },
  ignoresArchives: true,
  wants: ({ path, sizeBytes }: FileEntry) =>
    sourceInfo.test(path) && sizeBytes <= maxBytes && !ofInstalled.test(path) && !ofPackage.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const { name = "", version = "" } = parseMetadata(headerLines(bytes));
    if (name === "" || version === "" || version === "0.0.0" || !isPlain(name) || !isPlain(version)) return;
    const dependenciesIn = environmentsBeside(path);
    yield provenPackage({ path }, { name, version, dependenciesIn, dependencies: requiredIn(decodeText(bytes)) });
  },
};

/** The names of the packages that are required for more than an extra. */
function requiredIn(text: string): readonly string[] {
  const [head = ""] = text.split(/\r?\n\r?\n/, 1);
  const required = [...head.matchAll(/^requires-dist:[ \t]*([A-Za-z0-9][\w.-]{0,200})([^\n]*)/gim)];
  const names = required.flatMap(([, name = "", rest = ""]) => (/\bextra\s*==/.test(rest) ? [] : [name]));
  return names.slice(0, mostDependencies);
}

/** The usual names of an environment in the folder of a project. */
const environments = [".venv", "venv", "env", "__pypackages__"] as const;

function environmentsBeside(path: string): readonly string[] {
  return environments.map((each) => joinPath(parentOf(path), each));
}

/** Dependencies by which a project is recognized. */
const mostDependencies = 64;
