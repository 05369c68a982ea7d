/**
 * CycloneDX in XML: the documents in JSON, with the elements in the order of the schema.
 *
 * @see https://cyclonedx.org/docs/1.7/xml/
 */
import { type CycloneDxVersion, toCycloneDx } from "./cyclonedx.ts";
import type { DocumentStamp, ReportedImage } from "./reported-image.ts";
import { xmlElement, xmlText } from "./xml-text.ts";

/**
 * Formats the bill of materials of an image as a CycloneDX document in XML, as {@link toCycloneDx} does in JSON.
 *
 * @example
 * declare const report: ScanReport;
 * toCycloneDxXml(report, { toolVersion: "1.0.0", createdAt: Date.now() }, "1.7");
 */
export function toCycloneDxXml(image: ReportedImage, stamp: DocumentStamp, version: CycloneDxVersion = "1.6"): string {
  const { serialNumber, version: revision, ...content } = toCycloneDx(image, stamp, version) as Members;
  const attributes = { xmlns: `http://cyclonedx.org/schema/bom/${version}`, serialNumber, version: revision };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write("bom", { ...attributes, ...content }, bom)}`;
}

type Members = Readonly<Record<string, unknown>>;

/** How a value becomes an element. */
type Shape =
  | "text"
  /** A reference to another element. */
  | "ref"
  /** A list of elements of a name in an element. */
  | { readonly each: string; readonly as: Shape }
  /** A list of elements in the place of one. */
  | { readonly many: Shape }
  /** An object: its members are attributes, elements in the order of the schema, or the text of the element. */
  | {
      readonly attributes?: readonly string[];
      readonly members?: readonly (readonly [name: string, as: Shape, element?: string])[];
      readonly text?: string;
    };

const list = (each: string, as: Shape): Shape => ({ each, as });

const properties = list("property", { attributes: ["name"], text: "value" });
const contact: Shape = {
  members: [
    ["name", "text"],
    ["email", "text"],
  ],
};
const organization: Shape = {
  members: [
    ["name", "text"],
    ["url", { many: "text" }],
    ["contact", { many: contact }],
  ],
};
const hashes = list("hash", { attributes: ["alg"], text: "content" });
const externalReferences = list("reference", {
  attributes: ["type"],
  members: [
    ["url", "text"],
    ["comment", "text"],
    ["hashes", hashes],
  ],
});
const license: Shape = {
  attributes: ["acknowledgement"],
  members: [
    ["id", "text"],
    ["name", "text"],
  ],
};
/** Licences and expressions in one element; see {@link licensesIn}. */
const licenses: Shape = {
  members: [
    ["license", { many: license }],
    ["expression", { many: { attributes: ["acknowledgement"], text: "expression" } }],
  ],
};
const component: Shape = {
  attributes: ["type", "bom-ref"],
  members: [
    ["supplier", organization],
    ["manufacturer", organization],
    ["authors", list("author", contact)],
    ["publisher", "text"],
    ["group", "text"],
    ["name", "text"],
    ["version", "text"],
    ["description", "text"],
    ["scope", "text"],
    ["hashes", hashes],
    ["licenses", licenses],
    ["copyright", "text"],
    ["cpe", "text"],
    ["purl", "text"],
    ["externalReferences", externalReferences],
    ["properties", properties],
    [
      "evidence",
      {
        members: [
          [
            "occurrences",
            list("occurrence", {
              members: [
                ["location", "text"],
                ["additionalContext", "text"],
              ],
            }),
          ],
        ],
      },
    ],
  ],
};
const source: Shape = {
  members: [
    ["name", "text"],
    ["url", "text"],
  ],
};
const vulnerability: Shape = {
  attributes: ["bom-ref"],
  members: [
    ["id", "text"],
    ["source", source],
    [
      "references",
      list("reference", {
        members: [
          ["id", "text"],
          ["source", source],
        ],
      }),
    ],
    [
      "ratings",
      list("rating", {
        members: [
          ["source", source],
          ["score", "text"],
          ["severity", "text"],
          ["method", "text"],
          ["vector", "text"],
        ],
      }),
    ],
    ["cwes", list("cwe", "text")],
    ["description", "text"],
    ["recommendation", "text"],
    ["advisories", list("advisory", { members: [["url", "text"]] })],
    ["published", "text"],
    [
      "analysis",
      {
        members: [
          ["state", "text"],
          ["justification", "text"],
          ["response", list("response", "text"), "responses"],
          ["detail", "text"],
        ],
      },
    ],
    [
      "affects",
      list("target", {
        members: [
          ["ref", "text"],
          [
            "versions",
            list("version", {
              members: [
                ["version", "text"],
                ["status", "text"],
              ],
            }),
          ],
        ],
      }),
    ],
    ["properties", properties],
  ],
};
const bom: Shape = {
  attributes: ["xmlns", "serialNumber", "version"],
  members: [
    [
      "metadata",
      {
        members: [
          ["timestamp", "text"],
          ["lifecycles", list("lifecycle", { members: [["phase", "text"]] })],
          ["tools", { members: [["components", list("component", component)]] }],
          ["authors", list("author", contact)],
          ["component", component],
          ["manufacturer", organization],
          ["supplier", organization],
          ["licenses", licenses],
          ["properties", properties],
        ],
      },
    ],
    ["components", list("component", component)],
    [
      "dependencies",
      list("dependency", { attributes: ["ref"], members: [["dependsOn", { many: "ref" }, "dependency"]] }),
    ],
    [
      "compositions",
      list("composition", {
        members: [
          ["aggregate", "text"],
          ["assemblies", list("assembly", "ref")],
          ["dependencies", list("dependency", "ref")],
        ],
      }),
    ],
    ["vulnerabilities", list("vulnerability", vulnerability)],
  ],
};

/** The element of a value; nothing for one that is absent. */
function write(name: string, value: unknown, shape: Shape): string {
  if (value === undefined) return "";
  if (shape === "text") return xmlElement(name, {}, xmlText(String(value)));
  if (shape === "ref") return xmlElement(name, { ref: String(value) });
  if ("many" in shape) return (value as readonly unknown[]).map((each) => write(name, each, shape.many)).join("");
  if ("each" in shape) {
    return xmlElement(
      name,
      {},
      (value as readonly unknown[]).map((each) => write(shape.each, each, shape.as)).join(""),
    );
  }
  const { attributes = [], members = [], text } = shape;
  const own = shape === licenses ? licensesIn(value as readonly Members[]) : (value as Members);
  const written = members.map(([member, as, element = member]) => write(element, own[member], as));
  const content = text === undefined ? written.join("") : xmlText(String(own[text]));
  const stated = attributes.flatMap((each) => (own[each] === undefined ? [] : [[each, String(own[each])] as const]));
  return xmlElement(name, Object.fromEntries(stated), content);
}

/** JSON has a list of `{ license }` and `{ expression, acknowledgement }`. */
function licensesIn(all: readonly Members[]): Members {
  const named = all.flatMap((each) => (each.license === undefined ? [] : [each.license]));
  const expressions = all.filter((each) => each.expression !== undefined);
  return { license: named, expression: expressions };
}
