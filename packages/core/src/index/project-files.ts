import type { EvidenceRules } from "../evidence/evidence-rules.ts";
import { joinPath, parentOf } from "../layer/paths.ts";
import type { ImageView } from "../plugins/coalescer.ts";
import type { LockedFinding, NeedsFinding } from "../plugins/finding.ts";
import { allFindings } from "./image-view.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** What files of projects in the finished image say. */
export interface ProjectFiles {
  /** The packages that lock files list, by path: of a workspace only those that its members in the image need. */
  readonly locked: ReadonlyMap<string, LockedFinding>;
  /** What projects need, by the paths of the lock files beside. */
  readonly needs: ReadonlyMap<string, StatedNeeds>;
}

/** What a project needs to run. */
export interface StatedNeeds {
  readonly names: readonly string[];
  /** Set if the project states apart what is only for development: then this is all that an installation for production has, with what it needs in turn. */
  readonly isAll: boolean;
  /** Set if the project states nothing for development: then all that the lock file lists is for use. */
  readonly isAllForUse?: true;
}

/** What the lock files of the finished image list, and what their projects need. */
export function projectFilesIn(
  layers: readonly (LayerFindings | undefined)[],
  image: ImageView,
  rules: EvidenceRules,
): ProjectFiles {
  const isThere = (path: string) =>
    layers.some((layer, index) => layer?.shape.leaves.has(path) === true && image.survives(path, index));
  const locked = new Map<string, LockedFinding>();
  const stated = new Map<string, NeedsFinding>();
  for (const [index, layer] of layers.entries()) {
    for (const finding of allFindings(layer)) {
      if (finding.kind !== "locked" && finding.kind !== "needs") continue;
      if (!image.survives(finding.path, index)) continue;
      if (finding.kind === "locked") locked.set(finding.path, ofMembersThere(finding, isThere));
      else stated.set(`${finding.packages} ${parentOf(finding.path)}`, finding);
    }
  }
  const needs = new Map<string, StatedNeeds>();
  for (const path of locked.keys()) {
    const own = stated.get(`${rules.lockFileKind(path)} ${parentOf(path)}`);
    const needed = own === undefined ? undefined : neededIn(own, [...stated.values()]);
    if (needed !== undefined) needs.set(path, needed);
  }
  return { locked, needs };
}

/**
 * What a lock file lists for the members that are in the image, and for the project in its own folder. Everything, if there is none of them, or if they need
 * nothing and no other member is there.
 */
function ofMembersThere(lock: LockedFinding, isThere: (path: string) => boolean): LockedFinding {
  const { members = [], path } = lock;
  const isRoot = (member: string) => parentOf(member) === parentOf(path);
  const others = members.filter((each) => !isRoot(each.path) && isThere(each.path));
  const there = [...members.filter((each) => isRoot(each.path)), ...others];
  return there.length === 0 ? lock : { ...lock, packages: [...new Set(there.flatMap(({ packages }) => packages))] };
}

/** The packages that a project needs, or the members of its workspace in the image. Undefined for a workspace of which no member is there. */
function neededIn(own: NeedsFinding, all: readonly NeedsFinding[]): StatedNeeds | undefined {
  const { members, names, marksDevelopment, isAllForUse } = own;
  if (members === undefined) return { names, isAll: marksDevelopment === true, isAllForUse };
  const folder = parentOf(own.path);
  const isMember = ({ path, packages }: NeedsFinding) =>
    packages === own.packages && members.some((glob) => matches(joinPath(folder, glob), parentOf(path)));
  const there = all.filter((each) => each !== own && isMember(each));
  if (there.length === 0) return undefined;
  const project = [own, ...there];
  const ownNames = new Set(project.map(({ name }) => name));
  return { names: project.flatMap((each) => each.names.filter((name) => !ownNames.has(name))), isAll: true };
}

/** Whether a folder is of a glob in which `*` stands for one folder, or a part of its name, and `**` for any number. */
function matches(glob: string, folder: string): boolean {
  const [wanted, found] = [glob, folder].map((path) => path.split("/").filter((each) => each !== "" && each !== "."));
  if (wanted === undefined || found === undefined) return false;
  const rest = wanted.indexOf("**");
  const isLongEnough = rest < 0 ? wanted.length === found.length : found.length >= rest;
  const fixed = rest < 0 ? wanted : wanted.slice(0, rest);
  return isLongEnough && fixed.every((segment, at) => segment.includes("*") || segment === found[at]);
}
