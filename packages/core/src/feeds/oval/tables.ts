import type { Bytes } from "../../bytes/bytes.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { childrenNamed, findChild, type XmlElement, xmlElements } from "../shared/xml-elements.ts";

/** The condition of a state on one property of a package: `evr`, `version`, `arch` … */
export interface OvalDemand {
  readonly property: string;
  /** `equals`, `less than`, `pattern match` … */
  readonly operation: string;
  readonly value: string;
}

/** The test of a criterion: whether a package is installed and meets the demands. */
export interface OvalTest {
  /** `rpminfo_test`, `uname_test` … */
  readonly kind: string;
  /** Whether it holds if no such package is installed. */
  readonly isNegated: boolean;
  /** Names of the packages; none where the test is about something else. */
  readonly names: readonly string[];
  readonly demands: readonly OvalDemand[];
}

/** The tests of a document with the entries that they refer to. */
export interface OvalTables {
  /** Undefined where the document has no such test, or where the test refers to a missing entry. */
  findTest(id: string): OvalTest | undefined;
}

/** The maximal number of entries of all tables together; the largest document has a tenth of it. */
const maxEntries = 5_000_000;

const tableElement = /_(?:test|object|state|variable)$/;

/**
 * Reads tests, objects, states and variables, which come after the definitions that refer to them. Memory is limited by their number.
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

/** An id within a document. Ids of the document's own namespace are numbers, which need far less memory. */
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

  /** `oval:com.oracle.elsa:tst:20070057001` is 20070057001 if the namespace is that of the first id. */
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

/** Copies a text. The texts of a parser refer to its whole input, which would stay in memory. */
function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
