import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "../language/proof.ts";
import { type TomlTable, tomlTables, tomlText, tomlTexts } from "../language/toml-tables.ts";
import { decodeText, isPlain } from "../linux/text.ts";
import { parseMetadata } from "./metadata.ts";

const file = "pyproject.toml";
/** A description in an installed package, or in a cache. */
const ofPackage = /(?:^|\/)(?:site-packages|dist-packages|node_modules|\.cache)\//;
/** The tables that name the project: of the standard, and of Poetry before it. */
const tables: ReadonlySet<string> = new Set(["project", "tool.poetry"]);
/** The largest description that is read. */
const maxBytes = 1024 ** 2;

/**
 * Finds applications that are not installed as a package, by a `pyproject.toml` with name and version: beside the environment with their
 * packages, or with packages of which half are in the image.
 * @see https://packaging.python.org/en/latest/specifications/pyproject-toml/
 */
export const pythonApplicationDetector: FileDetector = {
  name: "python-application",
  revision: 2,
  ignoresArchives: true,
  names: { endings: [file] },
  wants: ({ path, sizeBytes }: FileEntry) =>
    path.endsWith(file) &&
    (path === file || path.endsWith(`/${file}`)) &&
    sizeBytes <= maxBytes &&
    !ofPackage.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const found = [...tomlTables(decodeText(bytes))];
    for (const table of found) {
      const [name, version] = [tomlText(table, "name"), tomlText(table, "version")];
      if (!tables.has(table.name) || name === "" || version === "" || version === "0.0.0") continue;
      if (!isPlain(name) || !isPlain(version)) continue;
      const folder = path.slice(0, -file.length);
      const dependenciesIn = environments.map((each) => folder + each);
      yield provenPackage({ path }, { name, version, dependenciesIn, dependencies: dependenciesOf(table, found) });
      return;
    }
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
    const { name = "", version = "" } = parseMetadata(bytes);
    if (name === "" || version === "" || version === "0.0.0" || !isPlain(name) || !isPlain(version)) return;
    const folder = path.slice(0, -"PKG-INFO".length);
    const dependenciesIn = environments.map((each) => folder + each);
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

/** Dependencies by which a project is recognized. */
const mostDependencies = 64;

/** The names of the packages that a project needs. */
function dependenciesOf(project: TomlTable, all: readonly TomlTable[]): readonly string[] {
  const ofPoetry = all.find(({ name }) => name === "tool.poetry.dependencies")?.members.keys() ?? [];
  const stated = tomlTexts(project, "dependencies").flatMap((each) => /^[A-Za-z0-9][\w.-]*/.exec(each)?.[0] ?? []);
  return [...stated, ...ofPoetry].filter((name) => name !== "python" && isPlain(name)).slice(0, mostDependencies);
}
