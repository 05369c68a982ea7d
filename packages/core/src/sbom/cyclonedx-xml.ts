/**
 * CycloneDX in XML, 1.0 to 1.7, as a document in the form of its JSON ({@link "./cyclonedx.ts"}). Elements that no reader needs are left out,
 * with all that is in them.
 *
 * ```
 * bom       = @serialNumber? metadata? components? externalReferences? dependencies? compositions?
 * metadata  = tools? component? properties?  tools = tool* | components
 * composition = aggregate assemblies? dependencies? vulnerabilities?         assemblies = ( @ref )*
 * component = @type @bom-ref? group? name version? description? scope? cpe? purl? externalReferences? properties? components? evidence?
 * externalReferences = ( reference = @type url )*            dependencies = ( dependency = @ref dependency* )*
 * ```
 * @see https://cyclonedx.org/docs/1.6/xml/
 */
import { SaxesParser } from "saxes";
import { ScanError } from "../errors.ts";
import type { JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { Steps } from "../model/slices.ts";
import { foreignXmlForm } from "./foreign-forms.ts";

/** The number of bytes parsed in one step. */
const sliceBytes = 64 * 1024;

/** The maximal number of elements, each of which needs some hundred bytes, and of their nesting. */
const [maxElements, maxDepth] = [2_000_000, 500];

/**
 * Reads a document in steps. Document type declarations are an error, so that there are no entities of the document's own.
 * @throws ScanError `malformed_sbom` if it is not well-formed XML in UTF-8, into which UTF-16 was converted, is not CycloneDX, or holds too much
 */
export function* cycloneDxXmlSteps(bytes: Uint8Array, name: string): Steps<JsonObject> {
  const reading = new BomReading();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      reading.write(decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true }));
      yield;
    }
    return { bomFormat: "CycloneDX", ...reading.end(decoder.decode()) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ScanError("malformed_sbom", `${name}: expected CycloneDX in XML: ${reason}`, { cause });
  }
}

/**
 * What an element becomes: a text, an object with its children as members, an array of its children, `{ name, value }`, its `ref`, or
 * `{ ref, dependsOn }` if it has children.
 */
type Shape = "text" | "object" | "list" | "property" | "reference" | "dependency";

/** The elements that are kept. */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...(
    [
      "aggregate",
      "copyright",
      "cpe",
      "description",
      "expression",
      "group",
      "id",
      "location",
      "name",
      "publisher",
      "purl",
      "scope",
      "url",
      "version",
    ] as const
  ).map((name) => [name, "text"] as const),
  ...(
    [
      "bom",
      "component",
      "composition",
      "evidence",
      "license",
      "metadata",
      "occurrence",
      "reference",
      "supplier",
      "tool",
    ] as const
  ).map((name) => [name, "object"] as const),
  ...(
    [
      "assemblies",
      "components",
      "compositions",
      "externalReferences",
      "licenses",
      "occurrences",
      "properties",
      "tools",
    ] as const
  ).map((name) => [name, "list"] as const),
  ["dependencies", "list"],
  ["vulnerabilities", "list"], // without what is in it
  ["property", "property"],
  ["assembly", "reference"],
  ["dependency", "dependency"],
]);

/** UTF-16 is already converted; .NET also declares it in files that are in UTF-8. */
const readEncodings = /^(?:utf-?8|us-ascii|utf-?16(?:le|be)?)$/i;

interface OpenElement {
  readonly name: string;
  readonly shape: Shape;
  readonly members: Record<string, Json>;
  items: Json[];
  text: string;
}

/** The state of parsing: the open elements that are kept, and how deep parsing is in one that is not. */
class BomReading {
  readonly #parser = new SaxesParser();
  readonly #open: OpenElement[] = [];
  #leftOut = 0;
  #elements = 0;
  #root: JsonObject = {};

  constructor() {
    this.#parser.on("doctype", () => {
      throw new Error("found a document type declaration");
    });
    this.#parser.on("xmldecl", ({ encoding = "utf-8" }) => {
      if (!readEncodings.test(encoding)) throw new Error(`found the encoding ${encoding}, expected UTF-8 or UTF-16`);
    });
    this.#parser.on("opentag", ({ name, attributes }) => this.#begin(name, attributes));
    this.#parser.on("closetag", () => this.#end());
    this.#parser.on("text", (text) => this.#addText(text));
    this.#parser.on("cdata", (text) => this.#addText(text));
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(text: string): JsonObject {
    this.#parser.write(text).close();
    return this.#root;
  }

  #begin(qualified: string, attributes: Readonly<Record<string, string>>): void {
    const name = qualified.slice(qualified.indexOf(":") + 1);
    if (++this.#elements > maxElements) throw new Error(`found more than ${maxElements} elements`);
    if (this.#elements === 1) checkRoot(name, attributes);
    if (this.#open.length + this.#leftOut >= maxDepth)
      throw new Error(`found elements nested more than ${maxDepth} deep`);
    const shape = this.#leftOut === 0 ? shapes.get(name) : undefined;
    if (shape === undefined) this.#leftOut++;
    else this.#open.push({ name, shape, members: attributesOf(shape, attributes), items: [], text: "" });
  }

  #addText(text: string): void {
    const innermost = this.#leftOut === 0 ? this.#open.at(-1) : undefined;
    if (innermost?.shape === "text" || innermost?.shape === "property") innermost.text += text;
  }

  #end(): void {
    if (this.#leftOut > 0) {
      this.#leftOut--;
      return;
    }
    const ended = this.#open.pop();
    if (ended === undefined) return;
    const outer = this.#open.at(-1);
    const value = jsonOf(ended);
    if (outer === undefined) this.#root = ended.members;
    else if (outer.shape !== "list" && outer.shape !== "dependency") outer.members[ended.name] ??= value;
    else if (Array.isArray(value)) outer.items = [...(value as readonly Json[])];
    else outer.items.push(value);
  }
}

function attributesOf(shape: Shape, attributes: Readonly<Record<string, string>>): Record<string, Json> {
  const names = shape === "object" ? ["acknowledgement", "bom-ref", "serialNumber", "type"] : ["name", "ref"];
  return Object.fromEntries(
    names.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
  );
}

function checkRoot(name: string, attributes: Readonly<Record<string, string>>): void {
  const isBom = name === "bom" && Object.values(attributes).some((value) => value.includes("cyclonedx.org/schema/bom"));
  if (isBom) return;
  throw new Error(
    `found ${foreignXmlForm(name) ?? `<${name.slice(0, 100)}>, not <bom> with the namespace of CycloneDX`}`,
  );
}

/** The tools are a list of either form, which the JSON form has in `components`. */
function jsonOf({ name, shape, members, items, text }: OpenElement): Json {
  switch (shape) {
    case "text":
      return text;
    case "property":
      return { name: members.name ?? "", value: text };
    case "reference":
      return members.ref ?? "";
    case "dependency":
      return items.length === 0 ? (members.ref ?? "") : { ref: members.ref ?? "", dependsOn: items };
    case "object":
      return members;
    case "list":
      return name === "tools" ? { components: items } : items;
  }
}
