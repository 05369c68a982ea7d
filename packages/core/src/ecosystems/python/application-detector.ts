import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage } from "../language/proof.ts";
import { tomlTables, tomlText } from "../language/toml-tables.ts";
import { decodeText, isPlain } from "../linux/text.ts";

const file = "pyproject.toml";
/** A description in an installed package, or in a cache. */
const ofPackage = /(?:^|\/)(?:site-packages|dist-packages|node_modules|\.cache)\//;
/** The tables that name the project: of the standard, and of Poetry before it. */
const tables: ReadonlySet<string> = new Set(["project", "tool.poetry"]);
/** The largest description that is read. */
const maxBytes = 1024 ** 2;

/**
 * Finds applications that are not installed as a package, by a `pyproject.toml` with name and version beside the environment with their packages.
 * @see https://packaging.python.org/en/latest/specifications/pyproject-toml/
 */
export const pythonApplicationDetector: FileDetector = {
  name: "python-application",
  revision: 1,
  ignoresArchives: true,
  wants: ({ path, sizeBytes }: FileEntry) =>
    path.endsWith(file) &&
    (path === file || path.endsWith(`/${file}`)) &&
    sizeBytes <= maxBytes &&
    !ofPackage.test(path),
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    for (const table of tomlTables(decodeText(bytes))) {
      const [name, version] = [tomlText(table, "name"), tomlText(table, "version")];
      if (!tables.has(table.name) || name === "" || version === "" || /^0\.0\.0$/.test(version)) continue;
      if (!isPlain(name) || !isPlain(version)) continue;
      const folder = path.slice(0, -file.length);
      yield provenPackage({ path }, { name, version, dependenciesIn: environments.map((each) => folder + each) });
      return;
    }
  },
};

/** The usual names of an environment in the folder of a project. */
const environments = [".venv", "venv", "env", "__pypackages__"] as const;
