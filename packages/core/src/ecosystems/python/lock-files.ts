/**
 * The lock files of Python's tools:
 *
 * ```
 * poetry.lock, pdm.lock, uv.lock: [[package]] name, version, category?, groups?        pylock.toml: [[packages]]
 * Pipfile.lock: { default, develop: { NAME: { version: "==1.0" } } }
 * requirements*.txt: NAME ["[" extras "]"] "==" VERSION [";" marker] …
 * ```
 * @see https://packaging.python.org/en/latest/specifications/pylock-toml/
 * @see https://pip.pypa.io/en/stable/reference/requirements-file-format/
 */

import { isObject, textOf } from "../../model/json-object.ts";
import type { LayerFile } from "../../plugins/detector.ts";
import { readJson } from "../language/json-file.ts";
import { type LockedPackage, lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { type TomlTable, tomlTables, tomlText, tomlTexts } from "../language/toml-tables.ts";
import { decodeText } from "../linux/text.ts";

const tomlFiles: ReadonlySet<string> = new Set(["poetry.lock", "pdm.lock", "uv.lock"]);
/** Groups of packages that a program needs. */
const runtimeGroups: ReadonlySet<string> = new Set(["default", "main"]);
/** The source of a package that is part of the project itself. */
const ownSource = /\b(?:editable|virtual|directory)\s*=/;

function* lockedIn({ bytes }: LayerFile): Iterable<LockedPackage> {
  for (const table of tomlTables(decodeText(bytes))) {
    const [name, version] = [tomlText(table, "name"), tomlText(table, "version")];
    const isOwn = ownSource.test(table.members.get("source") ?? "") || table.members.has("directory");
    if (!/^packages?$/.test(table.name) || name === "" || version === "" || isOwn) continue;
    yield { name, version, isDevelopment: isForDevelopment(table), isOptional: isOptional(table) };
  }
}

/** Whether a package is an option of the project, or for some platforms only. */
function isOptional({ members }: TomlTable): boolean {
  const markers = members.get("markers") ?? "";
  return members.get("optional") === "true" || /\b(?:os_name|platform_system|sys_platform)\b/.test(markers);
}

function isForDevelopment(table: TomlTable): boolean {
  const groups = tomlTexts(table, "groups");
  if (groups.length > 0) return !groups.some((group) => runtimeGroups.has(group));
  return tomlText(table, "category") === "dev";
}

const tomlDetector = lockFileDetector({
  name: "python-toml-locks",
  isNamed: (file) => tomlFiles.has(file) || /^pylock(?:\.[^.]+)?\.toml$/.test(file),
  read: lockedIn,
});

const pipfileDetector = lockFileDetector({
  name: "pipfile-lock",
  isNamed: (file) => file === "Pipfile.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const section of ["default", "develop"]) {
      const packages = isObject(json) ? json[section] : undefined;
      for (const [name, entry] of Object.entries(isObject(packages) ? packages : {})) {
        const version = isObject(entry) ? textOf(entry.version).replace(/^==+/, "") : "";
        const isUnpublished = version === "" && isObject(entry) && entry.git !== undefined;
        if (version !== "" || isUnpublished)
          yield { name, version, isDevelopment: section === "develop", isUnpublished };
      }
    }
  },
});

const pinned = /^([A-Za-z0-9][\w.-]*) ?(?:\[[^\]]*\])? ?===? ?([\w.!+-]+)(?=$|[\s;,#\\])/;

const requirementsDetector = lockFileDetector({
  name: "python-requirements",
  isNamed: (file) => file.endsWith(".txt") && /(?:^|[-_])requirements(?:[-_.]|$)/.test(file.slice(0, -".txt".length)),
  *read(file) {
    const isDevelopment = /dev|test|lint|doc/i.test(file.path.slice(file.path.lastIndexOf("/") + 1));
    for (const line of decodeText(file.bytes).split("\n")) {
      const [, name, version] = pinned.exec(line.trim()) ?? [];
      if (name !== undefined && version !== undefined) yield { name, version, isDevelopment };
    }
  },
});

/** The detectors of Python's lock files. */
export const pythonLockFiles = [tomlDetector, pipfileDetector, requirementsDetector];
