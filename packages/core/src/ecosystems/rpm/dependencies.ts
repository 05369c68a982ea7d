import { needsBy, packageFinder } from "../../index/named-dependencies.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import { isOrdered } from "../../versions/define-order.ts";
import { providedBy, type Relation } from "../linux/relations.ts";
import { parse, type RpmVersion, rpmVersions, valid } from "./version.ts";

/**
 * A rich dependency:
 *
 * ```
 * rich    = "(" operand {relation operand} ")"         relation = "and" | "or" | "with" | "without" | "if" | "unless" | "else"
 * operand = rich | name [("<" | "<=" | "=" | ">=" | ">") version]
 * ```
 * @see https://rpm-software-management.github.io/rpm/manual/boolean_dependencies.html
 */
type Rich = Relation | { readonly relation: string; readonly operands: readonly Rich[] };

/** Deeper ones are not written by tools. */
const maxDepth = 16;

/** Undefined for text that is none, or is cut. */
function parseRich(text: string): Rich | undefined {
  const words = text.match(/(?:^|(?<=[ (]))\(|[^\s()]+(?:\([^\s()]*\)[^\s()]*)*|\)/g) ?? [];
  let at = 0;
  const operand = (depth: number): Rich | undefined => {
    const word = words[at++];
    if (word === "(") return depth > maxDepth ? undefined : group(depth + 1);
    if (word === undefined || word === ")" || relations.has(word)) return undefined;
    if (!/^[<=>]+$/.test(words[at] ?? "")) return { name: word, order: "", version: "" };
    at += 2;
    return { name: word, order: words[at - 2] ?? "", version: words[at - 1] ?? "" };
  };
  const group = (depth: number): Rich | undefined => {
    const [first, relation = ""] = [operand(depth), words[at] ?? ""];
    const operands = [first];
    for (let next = words[at]; next !== ")"; next = words[at]) {
      if (next !== relation && !(next === "else" && conditions.has(relation) && operands.length === 2))
        return undefined;
      at++;
      operands.push(operand(depth));
    }
    at++;
    const known = operands.filter((each) => each !== undefined);
    if (first === undefined || known.length < operands.length) return undefined;
    return known.length === 1 ? first : { relation, operands: known };
  };
  const found = operand(0);
  return at === words.length ? found : undefined;
}

const conditions: ReadonlySet<string> = new Set(["if", "unless"]);
const relations: ReadonlySet<string> = new Set(["and", "or", "with", "without", "else", ...conditions]);

/** `name >= 1`: a name has no blanks. */
function parseRelation(text: string): Relation {
  const [name = "", order = "", version = ""] = text.split(" ", 3);
  return { name, order, version };
}

/** Whether the ranges of versions overlap. What has no version has any, and a missing release is any. @see https://rpm-software-management.github.io/rpm/manual/dependencies.html */
function meets(provided: Relation, needed: Relation): boolean {
  if (provided.order === "" || !valid(provided.version) || !valid(needed.version)) return true;
  const [a, b] = [parse(provided.version), parse(needed.version)];
  const hasReleases = a.release !== undefined && b.release !== undefined;
  const order = hasReleases ? rpmVersions.compare(a, b) : rpmVersions.compare(withoutRelease(a), withoutRelease(b));
  if (order === 0) return [-1, 0, 1].some((each) => isOrdered(each, provided.order) && isOrdered(each, needed.order));
  return isOrdered(-order, provided.order) || isOrdered(order, needed.order);
}

function withoutRelease({ epoch, version }: RpmVersion): RpmVersion {
  return { epoch, version };
}

/** Finds the package that meets a relation, among those that are meant. */
type FindRelated = (needed: Relation, isMeant?: (found: CoalescedPackage) => boolean) => CoalescedPackage | undefined;

/** Makes the function that finds the packages which meet a rich dependency, none if its condition does not hold; undefined if nothing meets it. */
function richFinder(provides: (found: CoalescedPackage, needed: Relation) => boolean) {
  const meet = (rich: Rich, find: FindRelated): readonly CoalescedPackage[] | undefined => {
    if (!("operands" in rich)) {
      const found = pathsFor(rich)
        .values()
        .map((each) => find(each))
        .find((each) => each !== undefined);
      return found && [found];
    }
    const { relation, operands } = rich;
    const [first = nothing, second = nothing, third] = operands;
    switch (relation) {
      case "or":
        return operands.map((each) => meet(each, find)).find((each) => each !== undefined);
      case "and": {
        const met = operands.map((each) => meet(each, find));
        return met.includes(undefined) ? undefined : [...new Set(met.flatMap((each) => each ?? []))];
      }
      case "if":
      case "unless": {
        const holds = (meet(second, find) !== undefined) === (relation === "if");
        const needed = holds ? first : third;
        return needed === undefined ? [] : meet(needed, find);
      }
      default: {
        const others = operands.slice(1); // about the same package
        const isAlso = (found: CoalescedPackage) =>
          others.every((each) => {
            const met = meet(each, (needed) => (provides(found, needed) ? found : undefined));
            return (met !== undefined) === (relation === "with");
          });
        return meet(first, (needed, isMeant) =>
          find(needed, (found) => isAlso(found) && (isMeant === undefined || isMeant(found))),
        );
      }
    }
  };
  return meet;
}

const nothing: Relation = { name: "", order: "", version: "" };

/** A program may have moved into the merged folder for programs. */
function pathsFor(needed: Relation): readonly Relation[] {
  const [, name] = /^\/(?:usr\/)?s?bin\/([^/]+)$/.exec(needed.name) ?? [];
  if (name === undefined) return [needed];
  const moved = ["/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/"].map((folder) => ({ ...nothing, name: folder + name }));
  return [needed, ...moved];
}

/** Finds what packages of rpm need, by capabilities and the paths of programs. */
export const rpmDependencies: DependencyResolver = (packages) => {
  const { namesOf, provides } = providedBy({ parse: parseRelation, meets });
  const findNamed = packageFinder(packages, { namesOf });
  const meet = richFinder(provides);
  return needsBy((need, from) => {
    const rich = need.startsWith("(") ? parseRich(need) : parseRelation(need);
    if (rich === undefined) return { met: [] };
    const met = meet(rich, (needed, isAlso) => {
      const { name, order } = needed;
      const isProvided = (found: CoalescedPackage) =>
        provides(found, needed) && (isAlso === undefined || isAlso(found));
      return findNamed({ name, need, from, isMeant: order === "" ? isAlso : isProvided });
    });
    return met?.length === 0 ? undefined : { met: met ?? [] };
  });
};
