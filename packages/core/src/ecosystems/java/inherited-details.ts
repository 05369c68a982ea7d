import { ScanError } from "../../errors.ts";
import { fileOf } from "../../index/owned-files.ts";
import { type PackageDetails, packageDetails } from "../../model/package-details.ts";
import type { Coalescer, EcosystemLayer, ImageView } from "../../plugins/coalescer.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { DetailsFinding, Finding, PackageFinding } from "../../plugins/finding.ts";
import { isNamedSo } from "./layout-coordinates.ts";
import {
  artifactIn,
  importedModel,
  isAtRunTime,
  managedScope,
  managedVersion,
  modelFinding,
  pomDetails,
  unknownParent,
} from "./pom-details.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";
import { maxPomXmlBytes, type PomModel, readPomModel } from "./pom-xml.ts";

/** Reads models beside archives: those of a local repository, and of folders in which distributions put them. One that cannot be read says nothing. */
export const pomFileDetector: FileDetector = {
  name: "java-poms",
  revision: 3,
  ignoresArchives: true,
  names: { endings: [".pom"] },
  wants: ({ path, sizeBytes }: FileEntry) => path.endsWith(".pom") && sizeBytes <= maxPomXmlBytes,
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    if (bytes.length > maxPomXmlBytes) return;
    const model = findModel(bytes, path);
    const found = model && modelFinding(path, model, pomDetails(model));
    if (found !== undefined) yield found;
  },
};

function findModel(bytes: Uint8Array, path: string): PomModel | undefined {
  try {
    return readPomModel(bytes, path);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

/**
 * Wraps a coalescer so that archives have what the models of the finished image say about them: their own, those that they inherit from, and those that these
 * import. An archive without a group has the coordinates of the model beside it.
 */
export function withInheritedDetails(coalesce: Coalescer): Coalescer {
  return (layers, image) => {
    const models = modelsIn(layers, image);
    const beside = modelsBeside(layers, image);
    const joined = (finding: Finding) =>
      finding.kind === "package" ? withDetails(withModelBeside(finding, beside), models) : finding;
    return coalesce(
      layers.map((layer) => ({ ...layer, findings: layer.findings.map(joined) })),
      image,
    );
  };
}

/** The coordinates of the models that are named after their artifacts, by their folders. */
type ModelsBeside = ReadonlyMap<string, readonly Coordinates[]>;

function modelsBeside(layers: readonly EcosystemLayer[], image: ImageView): ModelsBeside {
  const found = layers.flatMap(({ findings }, index) =>
    findings.flatMap((each) => {
      if (each.kind !== "details" || !each.path.endsWith(".pom") || !image.survives(each.path, index)) return [];
      const [group = "", artifact = "", version = ""] = each.of.split(":");
      const own = { group, artifact, version };
      const [folder, file] = splitPath(each.path);
      return isId(group) && isId(artifact) && isVersion(version) && isNamedSo(file, own) ? [{ folder, own }] : [];
    }),
  );
  const byFolder = Map.groupBy(found, ({ folder }) => folder);
  return new Map([...byFolder].map(([folder, all]) => [folder, all.map(({ own }) => own)]));
}

function splitPath(path: string): readonly [folder: string, file: string] {
  const end = path.lastIndexOf("/") + 1;
  return [path.slice(0, end), path.slice(end)];
}

/** An archive that does not state its group is the artifact of the model beside it: `a-1.0.pom` of `a-1.0.jar` and `a-1.0-uber.jar`. */
function withModelBeside(finding: PackageFinding, beside: ModelsBeside): PackageFinding {
  const { package: found, ...more } = finding;
  const [folder, file] = splitPath(finding.packageDb);
  const models = beside.get(folder);
  if (models === undefined || found.name.includes(":") || finding.file !== undefined) return finding;
  const [own, ...others] = models.filter((each) => isNamedSo(file, each));
  if (own === undefined || others.some(({ group }) => group !== own.group)) return finding;
  const { candidates: _, namePatterns: __, ...rest } = more;
  return { ...rest, package: { ...found, name: `${own.group}:${own.artifact}`, version: own.version } };
}

/** Models by their coordinates. */
type Models = ReadonlyMap<string, DetailsFinding>;

/** Of several models of an artifact, one that says something counts: what the model in an archive says is with the package that it describes. */
function modelsIn(layers: readonly EcosystemLayer[], image: ImageView): Models {
  const models = new Map<string, DetailsFinding>();
  const described = new Map<string, PackageDetails>();
  for (const [index, { findings }] of layers.entries()) {
    for (const each of findings) {
      if (each.kind === "package" && each.details?.requires !== undefined && image.survives(fileOf(each), index))
        described.set(`${each.package.name}:${each.package.version}`, each.details);
      if (each.kind !== "details" || !image.survives(each.path, index)) continue;
      if (!models.has(each.of) || Object.keys(each.details).length > 0) models.set(each.of, each);
    }
  }
  for (const [name, model] of models) {
    const details = described.get(name);
    if (details !== undefined && Object.keys(model.details).length === 0) models.set(name, { ...model, details });
  }
  return models;
}

function withDetails(finding: PackageFinding, models: Models): PackageFinding {
  const { name, version } = finding.package;
  const own = models.get(`${name}:${version}`);
  if (own === undefined)
    return finding.details === undefined ? finding : { ...finding, details: settled(finding.details, []) };
  const line = lineOf(own, models);
  // what the archive says without a model is its class path, and less than the model says
  const { recommends: classPath = [], ...ofArchive } = finding.details ?? {};
  const isOfModel = ofArchive.requires !== undefined;
  const first = isOfModel ? { ...ofArchive, recommends: classPath } : { ...ofArchive, ...own.details };
  const inherited = line.slice(1).map(({ details, path }) => ({ ...details, path }));
  const all = [first, ...inherited];
  const one = <Name extends keyof PackageDetails>(member: Name) =>
    all.find((each) => each[member] !== undefined)?.[member];
  const details: PackageDetails = {
    ...first,
    licenses: licensesOf(isOfModel ? [first, ...inherited] : [{ ...first, path: own.path }, ...inherited]),
    supplier: one("supplier"),
    authors: one("authors"),
    description: one("description"),
    homepage: one("homepage"),
    sourceAddress: one("sourceAddress"),
    requires: all.some(({ requires }) => requires !== undefined)
      ? all.flatMap(({ requires = [] }) => requires)
      : undefined,
    recommends: [
      ...all.flatMap(({ recommends = [] }) => recommends),
      ...(isOfModel ? [] : classPath),
      ...(hasWholeLine(line, models) ? [] : [unknownParent]),
    ],
  };
  return { ...finding, details: settled(details, withImports(line, models)) };
}

/** The licences of the nearest model that states some, with its file. An archive states its own in itself. */
function licensesOf(
  all: readonly (Pick<PackageDetails, "licenses"> & { readonly path?: string })[],
): PackageDetails["licenses"] {
  const nearest = all.find(({ licenses }) => licenses !== undefined);
  return nearest?.licenses?.map((each) => ({ ...each, path: each.path ?? nearest.path }));
}

/** Inheritance is not deeper, and no model imports more, than tools bear. */
const [maxParents, maxModels] = [16, 64];

/** A model and those that it inherits from, the nearest first. */
function lineOf(own: DetailsFinding, models: Models): readonly DetailsFinding[] {
  const line = [own];
  for (let next = parentOf(own, models); next !== undefined; next = parentOf(next, models)) {
    if (line.includes(next) || line.length > maxParents) break;
    line.push(next);
  }
  return line;
}

function hasWholeLine(line: readonly DetailsFinding[], models: Models): boolean {
  const { like = "" } = line.at(-1) ?? {};
  return like === "" || models.has(like);
}

function parentOf({ like = "" }: DetailsFinding, models: Models): DetailsFinding | undefined {
  return models.get(like);
}

/** A line, and the lines of the models that it imports. */
function withImports(line: readonly DetailsFinding[], models: Models): readonly DetailsFinding[] {
  const found = [...line];
  for (const model of found) {
    for (let index = 0; found.length < maxModels; index++) {
      const name = model.values?.[importedModel(index)];
      if (name === undefined) break;
      const imported = models.get(resolved(name, found));
      if (imported !== undefined && !found.includes(imported)) found.push(...lineOf(imported, models));
    }
  }
  return found;
}

/** Details with the values of all models, without texts that none of them completes, and with what they say about the scope of needs. */
function settled(
  { requires, recommends = [], ...details }: PackageDetails,
  models: readonly DetailsFinding[],
): PackageDetails | undefined {
  const complete = (text: string | undefined) => {
    const whole = resolved(text ?? "", models);
    return whole === "" || whole.includes("${") ? undefined : whole;
  };
  const versioned = (need: string) => withVersion(resolved(need, models), models);
  const ofScope = Map.groupBy(recommends.map(versioned), (need) => placeOf(managedIn(need, models)));
  return packageDetails({
    ...details,
    supplier: complete(details.supplier),
    description: complete(details.description),
    homepage: complete(details.homepage),
    sourceAddress: complete(details.sourceAddress),
    authors: details.authors?.flatMap((each) => complete(each) ?? []),
    requires: requires && [...requires.map(versioned), ...(ofScope.get("requires") ?? [])],
    recommends: ofScope.get("recommends"),
  });
}

function placeOf(scope: string | undefined): "recommends" | "requires" | "nowhere" {
  if (scope === undefined) return "recommends";
  return isAtRunTime(scope) ? "requires" : "nowhere";
}

/** A need with the version by which a model manages the artifact, if it states none. */
function withVersion(need: string, models: readonly DetailsFinding[]): string {
  const artifact = artifactIn(need);
  const rest = need.slice(artifact.length);
  if (!artifact.includes(":") || rest.startsWith(":")) return need;
  const name = managedVersion(artifact);
  const version = models.map(({ values }) => values?.[name]).find((each) => each !== undefined);
  return version === undefined ? need : `${artifact}:${resolved(version, models)}${rest}`;
}

function managedIn(need: string, models: readonly DetailsFinding[]): string | undefined {
  const name = managedScope(artifactIn(need));
  return models.map(({ values }) => values?.[name]).find((scope) => scope !== undefined);
}

const reference = /\$\{([^${}]{1,200})\}/g;

/** A text with the values that the models state for its references; those of none remain. */
function resolved(text: string, models: readonly DetailsFinding[]): string {
  let whole = text;
  for (let round = 0; round < maxParents && whole.includes("${"); round++) {
    const next = whole.replace(reference, (all, name: string) => stated(name, models) ?? all);
    if (next === whole || next.length > 1000) break;
    whole = next;
  }
  return whole;
}

function stated(name: string, models: readonly DetailsFinding[]): string | undefined {
  return models.map(({ values }) => values?.[`property:${name.trim()}`]).find((value) => value !== undefined);
}
