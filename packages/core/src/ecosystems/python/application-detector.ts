import { joinPath, nameOf, parentOf } from "../../layer/paths.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "../language/proof.ts";
import { decodeText, isPlain } from "../linux/text.ts";
import { parseMetadata } from "./metadata.ts";
import { projectFiles, readNeeds, readProject } from "./project-files.ts";

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
  revision: 4,
  ignoresArchives: true,
  names: { endings: projectFiles },
  wants: ({ path, sizeBytes }: FileEntry) =>
    projectFiles.includes(nameOf(path)) && sizeBytes <= maxBytes && !ofPackage.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const text = decodeText(bytes);
    const names = nameOf(path) === "pyproject.toml" ? readNeeds(text) : undefined;
    if (names !== undefined) yield { kind: "needs", path, packages: "python", names, marksDevelopment: true };
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
    const { name = "", version = "" } = parseMetadata(bytes);
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
