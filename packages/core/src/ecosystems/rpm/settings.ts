/**
 * The files of rpm's macros, of which two say where the package database is:
 *
 * ```
 * %_dbpath      %{_usr}/lib/sysimage/rpm
 * %_db_backend  sqlite
 * ```
 * @see https://github.com/rpm-software-management/rpm/blob/rpm-4.20.0-release/docs/man/rpm.8.md (FILES)
 */
import type { Detector, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";

/** The places of the files in the order in which rpm reads them: a later definition replaces an earlier one. */
const places: readonly RegExp[] = [
  /^usr\/lib\/rpm\/macros$/,
  /^usr\/lib\/rpm\/macros\.d\/macros\.[^/]+$/,
  /^usr\/lib\/rpm\/[^/]+\/macros$/,
  /^etc\/rpm\/macros\.[^/]+$/,
  /^etc\/rpm\/macros$/,
];

/** The position of a file of macros among those that rpm reads; negative for another file. */
export function macroRank(path: string): number {
  return places.findIndex((place) => place.test(path));
}

const maxFileBytes = 1024 ** 2;
const definition = /^%(_db_backend|_dbpath)[ \t]+(\S+)[ \t]*$/gm;
/** Macros in the values of distributions. */
const known: Readonly<Record<string, string>> = {
  "%{_localstatedir}": "/var",
  "%{_prefix}": "/usr",
  "%{_usr}": "/usr",
  "%{_var}": "/var",
};

/** Finds the settings of rpm that say which package database is in use. */
export const rpmSettings: Detector = {
  name: "rpm-settings",
  revision: 1,
  names: { beginnings: ["macros"] },
  wants: ({ path, sizeBytes }) => path.includes("/rpm/") && macroRank(path) >= 0 && sizeBytes <= maxFileBytes,
  *detect(files: LayerFiles): Iterable<Finding> {
    for (const file of files) yield* settingsIn(file);
  },
};

function* settingsIn({ path, bytes }: LayerFile): Iterable<Finding> {
  for (const [, name = "", written = ""] of new TextDecoder().decode(bytes).matchAll(definition)) {
    const value = written.replace(/%\{[a-z_]+\}/g, (macro) => known[macro] ?? macro);
    if (value.length <= 200) yield { kind: "setting", path, name, value };
  }
}
