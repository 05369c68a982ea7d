import type { Bytes } from "../../bytes/bytes.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { childrenNamed, findChild, type XmlElement, xmlElements } from "../shared/xml-elements.ts";

/** What a state demands of one property of a package: `evr`, `version`, `arch` … */
export interface OvalDemand {
  readonly property: string;
  /** `equals`, `less than`, `pattern match` … */
  readonly operation: string;
  readonly value: string;
}

/** What a criterion refers to: whether a package is there, and as the demands say. */
export interface OvalTest {
  /** `rpminfo_test`, `uname_test` … */
  readonly kind: string;
  /** Whether it holds where no such package is there. */
  readonly isNegated: boolean;
  /** Of the packages; none where the test looks at something else. */
  readonly names: readonly string[];
  readonly demands: readonly OvalDemand[];
}

/** The tests of a document with what they refer to. */
export interface OvalTables {
  /** Undefined where the document has no such test, or one that refers to what it does not have. */
  findTest(id: string): OvalTest | undefined;
}

/** Entries of all tables together; the largest documents have a tenth of it. */
const maxEntries = 5_000_000;

const tableElement = /_(?:test|object|state|variable)$/;

/**
 * Reads tests, objects, states and variables, which stand behind the definitions that refer to them. Memory is bounded by their number.
 * @throws ScanError `malformed_feed`
 * @see https://oval-community-guidelines.readthedocs.io/en/latest/oval-schema-documentation/oval-definitions-schema.html
 */
export async function readOvalTables(source: Bytes, location: string): Promise<OvalTables> {
  const tables = new Tables();
  let entries = 0;
  const wants = (name: string) => tableElement.test(name);
  for await (const element of xmlElements(source, location, { root: "oval_definitions", depth: 2, wants })) {
    if (++entries > maxEntries) throw malformedFeed(location, `more than ${maxEntries} tests, objects and states`);
    tables.add(element);
  }
  return tables;
}

/** A reference within a document: a number where the id is of the document's own namespace, which takes far less memory. */
type Key = number | string;

interface StoredTest {
  readonly kind: string;
  readonly isNegated: boolean;
  readonly object: Key | undefined;
  readonly states: readonly Key[];
}

interface StoredObject {
  readonly names: readonly string[];
  readonly variable: Key | undefined;
}

class Tables implements OvalTables {
  readonly #tests = new Map<Key, StoredTest>();
  readonly #objects = new Map<Key, StoredObject>();
  readonly #states = new Map<Key, readonly OvalDemand[]>();
  readonly #variables = new Map<Key, readonly string[]>();
  #namespace: string | undefined;

  add(element: XmlElement): void {
    const id = this.#keyOf(element.attributes.id);
    if (id === undefined) return;
    if (element.name.endsWith("_test")) this.#tests.set(id, this.#readTest(element));
    else if (element.name.endsWith("_object")) this.#objects.set(id, this.#readObject(element));
    else if (element.name.endsWith("_state")) this.#states.set(id, element.children.map(readDemand));
    else
      this.#variables.set(
        id,
        childrenNamed(element, "value").map(({ text }) => ownText(text)),
      );
  }

  findTest(id: string): OvalTest | undefined {
    const test = this.#tests.get(this.#keyOf(id) ?? "");
    if (test === undefined) return undefined;
    const { kind, isNegated, object, states } = test;
    const found = object === undefined ? undefined : this.#objects.get(object);
    const demands = states.map((state) => this.#states.get(state));
    if (found === undefined || !demands.every((each) => each !== undefined)) return undefined;
    const { variable } = found;
    const names = variable === undefined ? found.names : (this.#variables.get(variable) ?? []);
    return { kind, isNegated, names, demands: demands.flat() };
  }

  #readTest(element: XmlElement): StoredTest {
    const { check, check_existence } = element.attributes;
    const states = childrenNamed(element, "state").map(({ attributes }) => this.#keyOf(attributes.state_ref));
    return {
      kind: ownText(element.name),
      isNegated: check === "none satisfy" || check_existence === "none_exist",
      object: this.#keyOf(findChild(element, "object")?.attributes.object_ref),
      states: states.filter((state) => state !== undefined),
    };
  }

  #readObject(element: XmlElement): StoredObject {
    const name = findChild(element, "name");
    return {
      names: name?.text ? [ownText(name.text)] : [],
      variable: this.#keyOf(name?.attributes.var_ref),
    };
  }

  /** `oval:com.oracle.elsa:tst:20070057001` is 20070057001 where the namespace is that of the first id. */
  #keyOf(id: string | undefined): Key | undefined {
    if (id === undefined) return undefined;
    const [, namespace, digits] = /^oval:([\w.-]+):[a-z]{3}:(\d{1,15})$/.exec(id) ?? [];
    if (namespace === undefined) return ownText(id);
    this.#namespace ??= ownText(namespace);
    return namespace === this.#namespace ? Number(digits) : ownText(id);
  }
}

function readDemand({ name, attributes, text }: XmlElement): OvalDemand {
  return { property: ownText(name), operation: ownText(attributes.operation ?? "equals"), value: ownText(text) };
}

/** A copy: what a parser returns is a view of its input, all of which would stay in memory. */
function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
