import type { CoalescedPackage } from "../../plugins/coalescer.ts";
import { isOrdered, type TextOrder } from "../../versions/define-order.ts";

/** A name that a package needs or provides, and the versions that are meant: `>=` and `2.36`. Without an order, all are. */
export interface Relation {
  readonly name: string;
  /** One or two of `<`, `=`, `>`, or empty. */
  readonly order: string;
  readonly version: string;
}

/** How a packaging system states what packages need and provide. */
export interface RelationRules {
  readonly parse: (text: string) => Relation;
  /** Whether a name that is provided meets a need of that name which states versions. */
  readonly meets: (provided: Relation, needed: Relation) => boolean;
}

/** Further statements of one name by one package are not compared. */
const maxStatements = 64;

/** What the packages of one list provide, which is parsed once. */
interface ProvidedNames {
  /** The names by which others need a package: its own, and those that it provides. */
  namesOf(found: CoalescedPackage): Iterable<string>;
  /** Whether a package is, or provides, what is needed. */
  provides(found: CoalescedPackage, needed: Relation): boolean;
}

/** Reads what packages provide. */
export function providedBy({ parse, meets }: RelationRules): ProvidedNames {
  const known = new Map<CoalescedPackage, ReadonlyMap<string, readonly Relation[]>>();
  const statementsOf = (found: CoalescedPackage) => {
    const own = { name: found.package.name, order: "=", version: found.package.version };
    const names = known.get(found) ?? Map.groupBy([own, ...(found.details?.provides ?? []).map(parse)], ofName);
    known.set(found, names);
    return names;
  };
  return {
    namesOf: (found) => statementsOf(found).keys(),
    provides(found, needed) {
      const statements = statementsOf(found).get(needed.name)?.slice(0, maxStatements) ?? [];
      return needed.order === "" ? statements.length > 0 : statements.some((each) => meets(each, needed));
    },
  };
}

function ofName({ name }: Relation): string {
  return name;
}

/** Whether a version that is provided is one of those that are needed; what is provided in no version meets no need that states one. */
export function meetsIn({ compare, valid }: TextOrder): RelationRules["meets"] {
  return (provided, { order, version }) => {
    if (provided.order === "") return false;
    if (!valid(provided.version) || !valid(version)) return true;
    return isOrdered(compare(provided.version, version), order);
  };
}
