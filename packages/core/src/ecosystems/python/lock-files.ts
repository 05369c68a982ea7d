/**
 * The lock files of Python's tools:
 *
 * ```
 * poetry.lock, pdm.lock, uv.lock, pylock.toml, SCRIPT.py.lock (of uv): see {@link "./toml-locks.ts"}
 * Pipfile.lock: { default, develop: { NAME: { version: "==1.0", markers? } } }
 * requirements*.txt: NAME ["[" extras "]"] "==" VERSION [";" marker] …
 * ```
 * @see https://pip.pypa.io/en/stable/reference/requirements-file-format/
 */

import { isObject, textOf } from "../../model/json-object.ts";
import { readJson } from "../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";
import { evaluateMarker } from "./markers.ts";
import { lockedInToml } from "./toml-locks.ts";

const tomlFiles: ReadonlySet<string> = new Set(["poetry.lock", "pdm.lock", "uv.lock"]);

const tomlDetector = lockFileDetector({
  name: "python-toml-locks",
  isNamed: (file) => tomlFiles.has(file) || /^pylock(?:\.[^.]+)?\.toml$|[^/]\.py\.lock$/.test(file),
  revision: 4,
  read: ({ bytes, path }) => lockedInToml(decodeText(bytes), path.slice(path.lastIndexOf("/") + 1)),
});

const pipfileDetector = lockFileDetector({
  name: "pipfile-lock",
  revision: 2,
  isNamed: (file) => file === "Pipfile.lock",
  *read(file) {
    const json = readJson(file, maxLockFileBytes);
    for (const section of ["default", "develop"]) {
      const packages = isObject(json) ? json[section] : undefined;
      for (const [name, entry] of Object.entries(isObject(packages) ? packages : {})) {
        const version = isObject(entry) ? textOf(entry.version).replace(/^==+/, "") : "";
        const isUnpublished = version === "" && isObject(entry) && entry.git !== undefined;
        if (version === "" && !isUnpublished) continue;
        const isOptional = isObject(entry) && evaluateMarker(textOf(entry.markers)) !== true;
        yield { name, version, isDevelopment: section === "develop", isOptional, isUnpublished };
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
