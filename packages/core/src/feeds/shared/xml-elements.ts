import { SaxesParser } from "saxes";
import type { Bytes } from "../../bytes/bytes.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** An element of an XML document with its content. Names are without prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text of the element itself, not of its children; without blanks at its ends. */
  readonly text: string;
}

/** Selects elements of a document. */
export interface XmlSelection {
  /** The name of the outermost element. */
  readonly root: string;
  /** The depth of the wanted elements: 1 is a child of the outermost element. */
  readonly depth: number;
  wants(name: string): boolean;
}

/** The maximal number of characters of one element, or between two; the largest in the feeds has a tenth of it. */
const maxElementCharacters = 16 * 1024 ** 2;

/** The maximal number of elements in one element, each of which needs some hundred bytes; the largest in the feeds has a tenth of it. */
const maxChildren = 250_000;

const maxDepth = 100;

/** The number of bytes parsed at once; all elements that end in them are in memory together. */
const sliceBytes = 64 * 1024;

/**
 * The wanted elements of an XML document, one by one. Memory is limited by the largest element, not by the document.
 * Document type declarations are an error, which excludes custom entities.
 *
 * @throws ScanError `malformed_feed` with `location` in its message, when the document is not well-formed XML in UTF-8 with the given root
 * @see https://www.w3.org/TR/xml/
 */
export async function* xmlElements(
  source: Bytes,
  location: string,
  selection: XmlSelection,
): AsyncGenerator<XmlElement> {
  const found: XmlElement[] = [];
  const reading = new XmlReading(selection, (element) => found.push(element));
  const decoder = new TextDecoder();
  const run = (step: () => void): readonly XmlElement[] => {
    try {
      step();
    } catch (error) {
      throw malformedFeed(location, `expected XML: ${error instanceof Error ? error.message : String(error)}`, error);
    }
    return found.splice(0);
  };
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      yield* run(() => reading.write(decoder.decode(chunk.subarray(at, at + sliceBytes), { stream: true })));
    }
  }
  yield* run(() => reading.end(decoder.decode()));
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  readonly texts: string[];
}

/** The state of parsing: the open wanted element, and the open elements in it. */
class XmlReading {
  readonly #parser = new SaxesParser();
  readonly #selection: XmlSelection;
  readonly #give: (element: XmlElement) => void;
  readonly #open: OpenElement[] = [];
  #depth = 0;
  /** The number of characters since the last wanted element ended, or an unwanted one began. */
  #characters = 0;
  /** The number of elements in the open wanted element, itself included. */
  #elements = 0;

  constructor(selection: XmlSelection, give: (element: XmlElement) => void) {
    this.#selection = selection;
    this.#give = give;
    this.#parser.on("doctype", () => {
      throw new Error("found a document type declaration");
    });
    this.#parser.on("xmldecl", ({ encoding = "utf-8" }) => {
      if (!/^(?:utf-?8|us-ascii)$/i.test(encoding)) throw new Error(`found the encoding ${encoding}, expected UTF-8`);
    });
    this.#parser.on("opentag", ({ name, attributes }) => this.#begin(localName(name), attributes));
    this.#parser.on("closetag", () => this.#end());
    this.#parser.on("text", (text) => this.#open.at(-1)?.texts.push(text));
    this.#parser.on("cdata", (text) => this.#open.at(-1)?.texts.push(text));
  }

  write(text: string): void {
    this.#characters += text.length;
    this.#parser.write(text);
    if (this.#characters > maxElementCharacters)
      throw new Error(`found an element of more than ${maxElementCharacters} characters`);
  }

  end(text: string): void {
    this.write(text);
    this.#parser.close();
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    const depth = this.#depth++;
    if (depth === 0 && name !== this.#selection.root) throw new Error(`found <${name}>, not <${this.#selection.root}>`);
    if (depth > maxDepth) throw new Error(`found elements that are nested more than ${maxDepth} deep`);
    const isWanted = depth === this.#selection.depth && this.#selection.wants(name);
    if (isWanted || this.#open.length > 0) this.#keep({ name, attributes, children: [], texts: [] });
    else this.#characters = 0;
  }

  #keep(element: OpenElement): void {
    this.#elements = this.#open.length === 0 ? 1 : this.#elements + 1;
    if (this.#elements > maxChildren) throw new Error(`found an element with more than ${maxChildren} in it`);
    this.#open.push(element);
  }

  #end(): void {
    this.#depth--;
    const ended = this.#open.pop();
    if (ended === undefined) return;
    const { name, attributes, children, texts } = ended;
    const element = { name, attributes, children, text: texts.join("").trim() };
    const outer = this.#open.at(-1);
    if (outer !== undefined) {
      outer.children.push(element);
      return;
    }
    this.#characters = 0;
    this.#give(element);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** The first child with a name. */
export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** The text of the first child with a name; undefined where there is none or it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return findChild(element, name)?.text || undefined;
}

/** All children with a name. */
export function childrenNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
