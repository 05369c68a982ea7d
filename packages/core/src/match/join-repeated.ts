import type { Judgement } from "./judgement.ts";
import { isCve, type VulnerabilityNames } from "./vulnerability-names.ts";

/** A judgement and the names of its vulnerability, which are needed repeatedly. */
export interface Named<J extends Judgement> {
  readonly judgement: J;
  readonly names: VulnerabilityNames;
}

/** Judgements on different vulnerabilities, with all their names. */
export interface JoinedJudgements<J extends Judgement> {
  readonly selected: readonly J[];
  /** Judgements of which another shows that they repeat a selected one. */
  readonly repeated: readonly J[];
}

/** A selected judgement with what others know of its vulnerability. */
interface Group<J extends Judgement> {
  readonly judgement: J;
  /** 0 for the most preferred. */
  readonly rank: number;
  readonly names: Set<string>;
  cve: string | undefined;
  /** Whether a repeated judgement is about the same vulnerability. */
  isRepeated: boolean;
  /** The preferred group about the same vulnerability. */
  joined?: Group<J>;
}

/**
 * Adds the names that repeated advisories know to the selected ones: often one feed alone knows the CVE id, by which scores, exploits
 * and statements of users are found. Selected judgements that a repeated one shows to be about one vulnerability become one, the first.
 * Vulnerabilities with different CVE ids stay apart, and advisories about several CVE ids join nothing.
 */
export function joinRepeated<J extends Judgement>(
  selected: readonly Named<J>[],
  repeated: readonly Named<J>[],
): JoinedJudgements<J> {
  const groups = selected.map(groupOf);
  const byName = new Map<string, Group<J>>();
  for (const group of groups) for (const name of group.names) if (!byName.has(name)) byName.set(name, group);
  for (const { names } of repeated) {
    if (names.areCves && names.ids.length > 1) continue;
    joinNames(allNames(names), byName);
  }
  return {
    selected: groups.flatMap((group) => (group.joined === undefined ? [withNames(group)] : [])),
    repeated: groups.flatMap(({ judgement, joined }) => (joined === undefined ? [] : [judgement])),
  };
}

function groupOf<J extends Judgement>({ judgement, names }: Named<J>, rank: number): Group<J> {
  const isOfSeveral = names.areCves && names.ids.length > 1;
  return {
    judgement,
    rank,
    isRepeated: false,
    names: new Set(isOfSeveral ? [] : allNames(names)),
    cve: names.areCves && !isOfSeveral ? names.ids[0] : undefined,
  };
}

function allNames({ name, ids, others }: VulnerabilityNames): readonly string[] {
  return [name, ...ids, ...others];
}

/** Joins the groups that have any of the names into the most preferred of them. */
function joinNames<J extends Judgement>(names: readonly string[], byName: Map<string, Group<J>>): void {
  const groups = new Set(names.flatMap((name) => resolved(byName.get(name)) ?? []));
  const [first, ...others] = [...groups].sort((a, b) => a.rank - b.rank);
  if (first === undefined) return;
  const cves = new Set([...[...groups].flatMap(({ cve }) => cve ?? []), ...names.filter(isCve)]);
  if (cves.size > 1) return;
  [first.cve] = cves;
  first.isRepeated = true;
  for (const other of others) {
    other.joined = first;
    for (const name of other.names) first.names.add(name);
  }
  for (const name of names) {
    first.names.add(name);
    byName.set(name, first);
  }
}

function resolved<J extends Judgement>(group: Group<J> | undefined): Group<J> | undefined {
  let found = group;
  while (found?.joined !== undefined) found = found.joined;
  return found;
}

/** The judgement with all names of its advisory's vulnerability; its own aliases first. */
function withNames<J extends Judgement>({ judgement, names, isRepeated }: Group<J>): J {
  if (!isRepeated) return judgement;
  const { advisory } = judgement;
  const known = new Set([advisory.name, ...advisory.aliases]);
  const added = [...names].filter((name) => !known.has(name)).sort();
  if (added.length === 0) return judgement;
  return { ...judgement, advisory: { ...advisory, aliases: [...advisory.aliases, ...added] } };
}
