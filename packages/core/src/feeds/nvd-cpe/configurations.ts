/**
 * The configurations of a vulnerability in the National Vulnerability Database: the affected products, and the systems on which they are affected.
 *
 * ```
 * configurations = [{ operator?: "AND" | "OR", negate?: boolean, nodes }]          one of them holds
 * nodes          = [{ operator: "AND" | "OR", negate?: boolean, cpeMatch }]
 * cpeMatch       = [{ vulnerable, criteria, versionStartIncluding?, versionStartExcluding?, versionEndIncluding?, versionEndExcluding? }]
 * ```
 * @see https://csrc.nist.gov/schema/nvd/api/2.0/cve_api_json_2.0.schema
 */
import { parseWfn } from "../../model/cpe/parse.ts";
import type { Wfn } from "../../model/cpe/wfn.ts";
import { type JsonPlace, memberAt, optionalItemsAt, optionalStringAt, stringAt } from "../../model/json-place.ts";
import type { ReadPart } from "../shared/malformed-feed.ts";

/** A product that is affected in some versions. */
export interface AffectedProduct {
  readonly name: Wfn;
  readonly bounds: VersionBounds;
  /** Whether it is affected on any Linux system. False if it must run on or with something that is not known from an image. */
  readonly isCertain: boolean;
}

/** The versions of a criterion whose name has no version. */
export interface VersionBounds {
  readonly startIncluding?: string;
  readonly startExcluding?: string;
  readonly endIncluding?: string;
  readonly endExcluding?: string;
}

/** The wanted affected products of all configurations. A malformed criterion is skipped. */
export function affectedProducts(
  cve: JsonPlace,
  wants: (name: Wfn) => boolean,
  readPart: ReadPart,
): readonly AffectedProduct[] {
  const configurations = readPart(() => optionalItemsAt(memberAt(cve, "configurations"))) ?? [];
  return configurations.flatMap((configuration) => {
    const nodes = (readPart(() => optionalItemsAt(memberAt(configuration, "nodes"))) ?? []).map((node) =>
      readNode(node, readPart),
    );
    const isNegated = memberAt(configuration, "negate").value === true;
    const needsAll = memberAt(configuration, "operator").value === "AND";
    return nodes.flatMap((node) => {
      const others = nodes.filter((other) => other !== node);
      const isCertain = !isNegated && !node.isNegated && (!needsAll || others.every(holdsOnLinux));
      return node.matches.flatMap((match) => {
        if (!match.isVulnerable || !wants(match.name)) return [];
        const isAlone = !node.needsAll || node.matches.every((other) => other === match || isLinux(other));
        return [{ name: match.name, bounds: match.bounds, isCertain: isCertain && isAlone }];
      });
    });
  });
}

interface Node {
  readonly needsAll: boolean;
  readonly isNegated: boolean;
  readonly matches: readonly Match[];
}

interface Match {
  readonly name: Wfn;
  readonly bounds: VersionBounds;
  readonly isVulnerable: boolean;
}

function readNode(node: JsonPlace, readPart: ReadPart): Node {
  const matches = readPart(() => optionalItemsAt(memberAt(node, "cpeMatch"))) ?? [];
  return {
    needsAll: memberAt(node, "operator").value === "AND",
    isNegated: memberAt(node, "negate").value === true,
    matches: matches.flatMap((match) => readPart(() => readMatch(match)) ?? []),
  };
}

function readMatch(match: JsonPlace): Match {
  const bound = (name: string) => optionalStringAt(memberAt(match, name));
  const [startIncluding, startExcluding] = [bound("versionStartIncluding"), bound("versionStartExcluding")];
  const [endIncluding, endExcluding] = [bound("versionEndIncluding"), bound("versionEndExcluding")];
  return {
    name: parseWfn(stringAt(memberAt(match, "criteria"))),
    isVulnerable: memberAt(match, "vulnerable").value === true,
    bounds: {
      startIncluding,
      startExcluding,
      endIncluding,
      endExcluding,
    },
  };
}

/** Whether a part of a configuration holds on any Linux system. */
function holdsOnLinux({ isNegated, needsAll, matches }: Node): boolean {
  if (isNegated || matches.length === 0) return false;
  return needsAll ? matches.every(isLinux) : matches.some(isLinux);
}

/** Whether the match is the Linux kernel in any version. */
function isLinux({ name, bounds }: Match): boolean {
  const isAnyVersion = /^[*-]$/.test(name.version) && Object.values(bounds).every((bound) => bound === undefined);
  return name.part === "o" && name.product === "linux_kernel" && isAnyVersion;
}
