import type { Release } from "../../distributions/shared/known-distribution.ts";
import { type Assignments, parseAssignments } from "./assignments.ts";
import { type FileProblems, mergeProblems, noteProblem } from "./file-problems.ts";
import { present } from "./present.ts";
import { findCpe, findIdentifier, findLabel } from "./release.ts";

/** Parses the names and values of an os-release file. A malformed line, or a file of more than 1 MiB, becomes a problem. Never throws. */
export function parseOsRelease(bytes: Uint8Array): Assignments {
  return parseAssignments(bytes);
}

/**
 * Reads the release in an os-release file. Undefined for a file without a valid `ID`, with a problem unless the file is empty.
 * `REDHAT_BUGZILLA_PRODUCT`, if present, is the display name.
 * @see https://www.freedesktop.org/software/systemd/man/latest/os-release.html#Options
 */
export function readOsRelease(bytes: Uint8Array, problems: FileProblems): Release | undefined {
  const { values, problems: lines } = parseOsRelease(bytes);
  mergeProblems(problems, lines);
  const identifier = (key: string) => findIdentifier(key, values.get(key), problems);
  const label = (key: string) => findLabel(key, values.get(key), problems);
  const did = identifier("ID");
  if (did === undefined) {
    if (values.size > 0 && !values.get("ID")) noteProblem(problems, 0, "expected an ID, found none");
    return undefined;
  }
  const release: Release = {
    did,
    ...present("like", wordsOf(values.get("ID_LIKE"))),
    ...present("name", label("NAME")),
    ...present("version", label("VERSION")),
    ...present("versionId", identifier("VERSION_ID")),
    ...present("prettyName", label("REDHAT_BUGZILLA_PRODUCT") || label("PRETTY_NAME")),
    ...present("cpe", findCpe("CPE_NAME", values.get("CPE_NAME"), problems)),
  };
  const codeName = identifier("VERSION_CODENAME") ?? findCodeName(release, values.get("UBUNTU_CODENAME"));
  return { ...release, ...present("versionCodeName", codeName) };
}

/**
 * The code name in a file without `VERSION_CODENAME`: Debian 8 writes `VERSION="8 (jessie)"`, testing before bookworm
 * `PRETTY_NAME="Debian GNU/Linux bullseye/sid"`, Ubuntu 16.04 `UBUNTU_CODENAME`.
 */
function findCodeName({ did, like = [], ...release }: Release, ubuntu = ""): string | undefined {
  if (did === "ubuntu") return /^[a-z]+$/.test(ubuntu) ? ubuntu : undefined;
  if (did !== "debian" && !like.includes("debian")) return undefined;
  const { version = "", versionId = "", prettyName = "" } = release;
  if (versionId === "") return / ([a-z]+)\/sid$/.exec(prettyName)?.[1];
  return version.startsWith(`${versionId} (`) ? /^\S+ \(([a-z]+)\)$/.exec(version)?.[1] : undefined;
}

function wordsOf(text = ""): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => /^[0-9a-z._-]{1,64}$/.test(word))
    .slice(0, 16);
}
