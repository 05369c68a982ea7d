/**
 * SPDX 2 in the tag-value form, as a document in the form of its JSON ({@link "./spdx.ts"}).
 *
 * ```
 * document = *( tag ":" value / comment )          one a line; a value in <text>…</text> may have several lines
 * comment  = "#" text
 * ```
 * A package begins with `PackageName`, a file with `FileName`, a snippet with `SnippetSPDXID`. What follows belongs to it.
 * @see https://spdx.github.io/spdx-spec/v2.3/
 */
import { ScanError } from "../errors.ts";
import type { JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { Steps } from "../model/slices.ts";

/** The maximal number of lines; each needs some hundred bytes. */
const maxLines = 2_000_000;

/** The number of lines read in one step. */
const linesAtOnce = 2000;

/** The first tag of a document, behind comments. */
const firstTag = /^(?:#[^\n]*\n\s*)*SPDXVersion:/;

/** Whether a text begins like a document of this form. */
export function isTagValue(beginning: string): boolean {
  return firstTag.test(beginning.trimStart());
}

/** Reads a document in steps. @throws ScanError `malformed_sbom` for too many lines, or bytes that are not UTF-8 */
export function* tagValueSteps(bytes: Uint8Array, name: string): Steps<JsonObject> {
  const reading = new TagValueReading();
  let lines = 0;
  for (const line of linesOf(textOf(bytes, name))) {
    reading.add(line);
    if (++lines > maxLines)
      throw new ScanError("malformed_sbom", `${name}: expected at most ${maxLines} lines of SPDX`);
    if (lines % linesAtOnce === 0) yield;
  }
  return reading.document;
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ScanError("malformed_sbom", `${name}: expected UTF-8, found other bytes`, { cause });
  }
}

/** The lines of a text. What `<text>` begins is one line up to `</text>`, or alone if there is none. */
function* linesOf(text: string): Iterable<string> {
  const lastClosed = text.lastIndexOf("</text>");
  for (let at = 0; at < text.length; ) {
    let end = lineEnd(text, at);
    const line = text.slice(at, end);
    const isOpen = line.includes("<text>") && !line.includes("</text>") && end <= lastClosed;
    if (isOpen) end = lineEnd(text, text.indexOf("</text>", end));
    yield isOpen ? text.slice(at, end) : line;
    at = end + 1;
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

type Members = Record<string, Json>;

/** Members of a package, by the tags that have one text. */
const packageTags: ReadonlyMap<string, string> = new Map([
  ["SPDXID", "SPDXID"],
  ["PackageVersion", "versionInfo"],
  ["PackageDescription", "description"],
  ["PackageSourceInfo", "sourceInfo"],
  ["PrimaryPackagePurpose", "primaryPackagePurpose"],
  ["PackageOriginator", "originator"],
  ["PackageSupplier", "supplier"],
  ["PackageLicenseDeclared", "licenseDeclared"],
  ["PackageLicenseConcluded", "licenseConcluded"],
  ["PackageCopyrightText", "copyrightText"],
  ["PackageHomePage", "homepage"],
  ["PackageSummary", "summary"],
]);

class TagValueReading {
  readonly #head: Members = {};
  readonly #creators: Json[] = [];
  readonly #others: Members[] = [];
  readonly #packages: Members[] = [];
  readonly #files: Members[] = [];
  readonly #relationships: Members[] = [];
  readonly #annotations: Members[] = [];
  readonly #licenses: Members[] = [];
  /** The package that tags belong to; undefined in the head of the document, and for a file or a snippet. */
  #package: { readonly members: Members; readonly references: Members[]; readonly attributions: Json[] } | undefined;

  /** Adds a line: a tag with its value. */
  add(line: string): void {
    const colon = line.indexOf(":");
    if (colon < 0 || line.startsWith("#")) return;
    const tag = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    const text = value.startsWith("<text>") ? value.slice(6, value.lastIndexOf("</text>")).trim() : value;
    if (!this.#addOfDocument(tag, text)) this.#addOfPackage(tag, text);
  }

  get document(): JsonObject {
    const byId = Map.groupBy(this.#annotations, ({ of }) => of);
    const packages = this.#packages.map((each) => {
      const annotations = byId.get(each.SPDXID ?? "");
      return annotations === undefined ? each : { ...each, annotations };
    });
    const creationInfo = { creators: this.#creators };
    const annotations = byId.get("SPDXRef-DOCUMENT") ?? [];
    return {
      ...this.#head,
      creationInfo,
      annotations,
      externalDocumentRefs: this.#others,
      packages,
      files: this.#files,
      relationships: this.#relationships,
      hasExtractedLicensingInfos: this.#licenses,
    };
  }

  #addOfDocument(tag: string, text: string): boolean {
    switch (tag) {
      case "SPDXVersion":
        this.#head.spdxVersion ??= text;
        return true;
      case "DocumentName":
        this.#head.name ??= text;
        return true;
      case "DocumentComment":
        this.#head.comment ??= text;
        return true;
      case "ExternalDocumentRef":
        this.#others.push({ externalDocumentId: text.split(/\s/, 1)[0] ?? "" });
        return true;
      case "Creator":
        this.#creators.push(text);
        return true;
      case "PackageName":
        this.#beginPackage(text);
        return true;
      case "FileName":
        this.#package = undefined;
        this.#files.push({ fileName: text });
        return true;
      case "SnippetSPDXID":
        this.#package = undefined;
        return true;
      case "SPDXID":
        if (this.#package !== undefined) return false;
        return this.#files.length === 0 || setLast(this.#files, "SPDXID", text); // a snippet has another tag
      default:
        return this.#addRelation(tag, text);
    }
  }

  #addRelation(tag: string, text: string): boolean {
    switch (tag) {
      case "Relationship": {
        const [from = "", type = "", to = ""] = text.split(/\s+/, 3);
        this.#relationships.push({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to });
        return true;
      }
      case "RelationshipComment":
        return setLast(this.#relationships, "comment", text);
      case "Annotator":
        this.#annotations.push({ annotator: text, of: "" });
        return true;
      case "SPDXREF":
        return setLast(this.#annotations, "of", text);
      case "AnnotationComment":
        return setLast(this.#annotations, "comment", text);
      case "LicenseID":
        this.#package = undefined;
        this.#licenses.push({ licenseId: text });
        return true;
      case "LicenseName":
        return setLast(this.#licenses, "name", text);
      case "ExtractedText":
        return setLast(this.#licenses, "extractedText", text);
      default:
        return false;
    }
  }

  #beginPackage(name: string): void {
    const [references, attributions]: [Members[], Json[]] = [[], []];
    const members: Members = { name, externalRefs: references, attributionTexts: attributions };
    this.#packages.push(members);
    this.#package = { members, references, attributions };
  }

  #addOfPackage(tag: string, text: string): void {
    if (this.#package === undefined) return;
    const { members, references, attributions } = this.#package;
    const member = packageTags.get(tag);
    if (member !== undefined) members[member] ??= text;
    else if (tag === "ExternalRef") {
      const [, type = "", locator = ""] = text.split(/\s+/, 3);
      references.push({ referenceType: type, referenceLocator: locator });
    } else if (tag === "ExternalRefComment") setLast(references, "comment", text);
    else if (tag === "PackageAttributionText") attributions.push(text);
  }
}

function setLast(list: readonly Members[], member: string, text: string): true {
  const last = list.at(-1);
  if (last !== undefined) last[member] = text;
  return true;
}
