import type { MemoryBudget } from "../bytes/memory-budget.ts";

/** The folder of an installed Python package, and one of its files. */
const infoFile = /^(.*\.(?:dist|egg)-info)\/([^/]+)$/;
/** The files that describe the package. */
const descriptions: ReadonlySet<string> = new Set(["METADATA", "PKG-INFO"]);

/**
 * Collects the folders `NAME-VERSION.dist-info` and `.egg-info` of a layer by one of their files. Every installed package has a description there,
 * so a folder without one in the image is of a package that was not installed as a whole, or of which parts were deleted.
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/#the-dist-info-directory
 */
export class InfoFolders {
  readonly #budget: MemoryBudget;
  readonly #maxFolders: number;
  /** The first file of each folder that does not describe the package. */
  readonly #first = new Map<string, string>();

  /** Further folders are not kept. */
  constructor(budget: MemoryBudget, maxFolders: number) {
    this.#budget = budget;
    this.#maxFolders = maxFolders;
  }

  /** Notes a file of a layer. */
  see(path: string): void {
    const folder = undescribedFolder(path);
    if (folder === undefined || this.#first.has(folder) || this.#first.size >= this.#maxFolders) return;
    this.#budget.take(folder.length + path.length);
    this.#first.set(folder, path);
  }

  /** A file of each folder. */
  files(): Iterable<string> {
    return this.#first.values();
  }
}

/** The folder of a file that belongs to an installed Python package and does not describe it; undefined for other files. */
export function undescribedFolder(path: string): string | undefined {
  if (!path.includes("-info/")) return undefined;
  const [, folder, name = ""] = infoFile.exec(path) ?? [];
  if (folder === undefined || descriptions.has(name) || isInsideAnother(folder)) return undefined;
  return `${folder}/`;
}

/** A package keeps the licences of what it bundles in folders of their names: `pip-24.0.dist-info/licenses/src/pip/_vendor/x-1.dist-info/LICENSE`. */
function isInsideAnother(folder: string): boolean {
  return /\.(?:dist|egg)-info\//.test(folder);
}
