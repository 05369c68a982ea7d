import type { LockedFinding, PackageFinding } from "../../plugins/finding.ts";
import { isArchiveName, parseArchiveName } from "./archive-name.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";
import { type PomEntry, type PomModel, resolve } from "./pom-xml.ts";

/** Archives with the archives of their dependencies: an EAR has modules and libraries, a WAR and a program of Spring Boot have libraries. */
export const applications = /\.(?:ear|war)$/i;

const maxDeclared = 10_000;

/** Scopes of dependencies that are not in the archive. */
const outside: ReadonlySet<string> = new Set(["import", "provided", "system", "test"]);

/**
 * What the model of an application declares that is in it, as `GROUP:ARTIFACT:classifier:type:VERSION`; the version is empty if another model states it. Archives in it
 * are named after them, and need not describe themselves.
 */
export function declaredIn(path: string, model: PomModel): LockedFinding | undefined {
  const managed = model.list("dependencyManagement/dependencies/dependency");
  const lines = model.list("dependencies/dependency").flatMap((each) => declarationOf(each, model, managed));
  return lines.length === 0 ? undefined : { kind: "locked", path, packages: lines.slice(0, maxDeclared) };
}

function declarationOf(entry: PomEntry, { values }: PomModel, managed: readonly PomEntry[]): readonly string[] {
  const textOf = (from: PomEntry, name: string) => resolve(from.get(name) ?? "", values);
  const [group, artifact] = [textOf(entry, "groupId"), textOf(entry, "artifactId")];
  const type = textOf(entry, "type") || "jar";
  if (!isId(group) || !isId(artifact) || !isId(type) || outside.has(entry.get("scope") ?? "")) return [];
  const manager = managed.find((each) => textOf(each, "groupId") === group && textOf(each, "artifactId") === artifact);
  const version = [entry, ...(manager === undefined ? [] : [manager])]
    .map((each) => textOf(each, "version"))
    .find(isVersion);
  const classifier = textOf(entry, "classifier");
  return [`${group}:${artifact}:${isId(classifier) ? classifier : ""}:${type}:${version ?? ""}`];
}

/** What applications in a layer declare, by the paths of the outermost archives. */
export type DeclaredArchives = ReadonlyMap<string, readonly string[]>;

/**
 * The coordinates of an archive in an application that only one declaration may be about: it has the name of the artifact, perhaps with the group before, and the version,
 * or none. Undefined for others.
 */
export function findDeclared({ packageDb, file }: PackageFinding, declared: DeclaredArchives): Coordinates | undefined {
  const lines = declared.get(file ?? "") ?? [];
  const path = packageDb.slice(packageDb.lastIndexOf(":") + 1);
  if (lines.length === 0 || !isArchiveName(path)) return undefined;
  const name = parseArchiveName(path);
  const isWeb = /\.war$/i.test(path);
  const found = lines.flatMap((line) => {
    const [group = "", artifact = "", , type = "", version = ""] = line.split(":");
    const isNamed = [artifact, `${group}-${artifact}`, `${group}.${artifact}`].includes(name.artifact);
    const isOfVersion = version === "" || name.version === "" || name.version === version;
    return isNamed && isOfVersion && isWeb === (type === "war") ? [{ group, artifact, version }] : [];
  });
  const [only] = found;
  return found.every((each) => each.group === only?.group && each.version === only.version) ? only : undefined;
}
