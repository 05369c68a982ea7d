import { archHolds } from "../../match/arch-condition.ts";
import { judgeVersion, notAffected } from "../../match/judge-version.ts";
import { settledRanges } from "../../match/range.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { cpeMatches, cpeStartsWith } from "../../model/cpe/match.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import { type Package, redhatContainerRepository } from "../../model/package.ts";
import type { IndexRecord, Matcher } from "../../plugins/matcher.ts";
import { findVersion } from "../../versions/define-order.ts";
import { rpmVersions } from "../rpm/version.ts";

/** The ecosystem in the keys of advisories about Red Hat containers. */
export const redhatContainersKey = "redhat-containers";

/** The namespace in the registry, by the namespace in labels. */
const registryNamespaces: ReadonlyMap<string, string> = new Map([["openshift", "openshift4"]]);

/** Judges Red Hat containers by their name, their product if labels name it, and their version in the order of rpm. */
export const redhatContainerMatcher: Matcher = {
  name: "redhat-container",
  keysRevision: 1,
  fixesOverrule: true,
  accepts: ({ repositories }) => repositories.some(({ name }) => name === redhatContainerRepository),
  keys: ({ package: found }) => namesOf(found).map((name) => ({ ecosystem: redhatContainersKey, name })),
  judge(record, advisory, trace) {
    const { package: found } = record;
    if (!isOfProduct(record, advisory)) {
      trace?.step(
        "other-product",
        `the advisory is about ${advisory.cpes?.join(", ")}, the container is of ${found.cpe}`,
      );
      return notAffected("other-product");
    }
    if (!archHolds(advisory.arch, found.arch)) {
      trace?.step("other-arch", `${found.arch} does not meet "${advisory.arch?.operation} ${advisory.arch?.value}"`);
      return notAffected("other-arch");
    }
    const installed = { scheme: rpmVersions, text: found.version, version: findVersion(rpmVersions, found.version) };
    return judgeVersion({ advisory, installed, trace, ranges: settledRanges(advisory.ranges) });
  },
};

function namesOf({ name }: Package): readonly string[] {
  const [namespace = "", ...rest] = name.split("/");
  const other = registryNamespaces.get(namespace);
  return other === undefined ? [name] : [name, [other, ...rest].join("/")];
}

/** Whether an advisory is about the product of a container. A container without a product label may be of any product. */
function isOfProduct({ package: { cpe } }: IndexRecord, { cpes = [] }: AdvisoryRule): boolean {
  if (cpe === undefined || cpes.length === 0) return true;
  const own = parseWfn(cpe);
  return cpes.some((each) => {
    const pattern = parseWfn(each);
    return cpeMatches(pattern, own) || cpeStartsWith(pattern, own);
  });
}
