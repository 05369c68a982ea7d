import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** The folder of an installed Python package, and one of its files. */
const infoFile = /^(.*\.(?:dist|egg)-info)\/([^/]+)$/;
/** The files that describe the package. */
const descriptions: ReadonlySet<string> = new Set(["METADATA", "PKG-INFO"]);

/**
 * The folder `NAME-VERSION.dist-info` or `.egg-info` of a file that does not describe the package; undefined for other files. Every installed package has a
 * description there, so a folder without one in the image is of a package that was not installed as a whole, or of which parts were deleted.
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/#the-dist-info-directory
 */
function undescribedFolder(path: string): string | undefined {
  if (!path.includes("-info/")) return undefined;
  const [, folder, name = ""] = infoFile.exec(path) ?? [];
  if (folder === undefined || descriptions.has(name) || isInsideAnother(folder)) return undefined;
  return `${folder}/`;
}

/** A package keeps the licences of what it bundles in folders of their names: `pip-24.0.dist-info/licenses/src/pip/_vendor/x-1.dist-info/LICENSE`. */
function isInsideAnother(folder: string): boolean {
  return /\.(?:dist|egg)-info\//.test(folder);
}

/**
 * Whether a file is one of requirements, from which pip installs, by its name alone: `requirements.txt`, `dev-requirements.txt`, `requirements_prod.txt`.
 * @see https://pip.pypa.io/en/stable/reference/requirements-file-format/
 */
export function isRequirementsFile(file: string): boolean {
  return file.endsWith(".txt") && /(?:^|[-_.])requirements(?:[-_.]|$)/i.test(file.slice(0, -".txt".length));
}

/** Whether a file is in a folder of such files: `requirements/base.txt`. */
export function isInRequirementsFolder(path: string): boolean {
  return /(?:^|\/)requirements\/[^/]+\.txt$/i.test(path);
}

/** Whether the name says that a program does not need them to run: `requirements-dev.txt`, `requirements/test.txt`. */
export function isForDevelopment(path: string): boolean {
  const file = path.slice(path.lastIndexOf("/") + 1);
  return /dev|test|lint|doc|typing|mypy|(?:^|[-_.])(?:bench|build|ci|examples?|local|release|tox)(?:[-_.]|$)/i.test(
    file,
  );
}

/** Folders in which files of requirements are for other programs than that of the image, and those of the distribution. */
const ofOthers =
  /^usr\/(?!local\/|src\/)|(?:^|\/)(?:\.[^/]+|benchmarks?|ci|contrib|demos?|docker|docs?|documentation|examples?|fixtures?|notebooks?|samples?|scripts|templates?|test-?data|testing|tests?|third[-_]party|tools?|tutorials?|vendor)\//i;

/** Whether a file of requirements is one for the program of the image. */
function isOfProgram(path: string): boolean {
  return (
    (isRequirementsFile(path.slice(path.lastIndexOf("/") + 1)) || isInRequirementsFolder(path)) && !ofOthers.test(path)
  );
}

/** What shows that there are packages of Python. */
export const pythonEvidence: readonly EvidenceRule[] = [
  { kind: "python", mark: "pyinstaller" },
  { kind: "python", mark: "zipapp" },
  { kind: "python", files: ["METADATA"], where: /\.dist-info\/METADATA$/ },
  { kind: "python", files: ["PKG-INFO"], where: /(?:\.egg-info|\/EGG-INFO)\/PKG-INFO$/ },
  { kind: "python", extensions: ["egg", "pex", "pyz", "pyzw", "whl"] },
  { kind: "python", extensions: ["egg-info"] },
  { kind: "python", folderOf: undescribedFolder, isReadBelow: true },
  packedInTar("python", /\.dist-info\/METADATA$|\.whl$/),
  lockFilesNamed("python", "Pipfile.lock", "pdm.lock", "poetry.lock", "pylock.toml", "uv.lock"),
  { ...lockFilesLike("python", "txt", /requirements/i), where: { test: isOfProgram } },
  lockFilesLike("python", "lock", /[^/]\.py\.lock$/i), // https://docs.astral.sh/uv/guides/scripts/#locking-dependencies
  lockFilesLike("python", "toml", /(?:^|\/)pylock\.[^./]+\.toml$/i), // https://packaging.python.org/en/latest/specifications/pylock-toml/#file-name
];
