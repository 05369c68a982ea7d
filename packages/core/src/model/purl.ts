/**
 * Package URLs.
 *
 *     pkg:type/namespace/name@version?qualifiers#subpath
 *
 *     type        letter, then letters, digits, . + -            case-insensitive
 *     namespace   segments separated by /, percent-encoded       optional
 *     name        percent-encoded
 *     version     percent-encoded                                optional
 *     qualifiers  key=value{&key=value}, sorted by key, values percent-encoded; empty values do not count
 *     subpath     segments separated by /, without . and ..      optional
 *
 * @see https://github.com/package-url/purl-spec
 */
import { ScanError } from "../errors.ts";
import { normalizePypiName } from "./package-name.ts";

declare const purlBrand: unique symbol;

/** A package URL in its canonical form. */
export type Purl = string & { readonly [purlBrand]: true };

/** The parts of a package URL, decoded. */
export interface PackageUrl {
  readonly type: string;
  readonly namespace?: string;
  readonly name: string;
  readonly version?: string;
  /** By lower-case key. */
  readonly qualifiers: Readonly<Record<string, string>>;
  readonly subpath?: string;
}

/**
 * Parses a package URL and normalizes its parts by the rules of its type (`pkg:pypi/Django_x` → `django-x`).
 * @throws ScanError `malformed_purl`
 * @example
 * parsePurl("pkg:pypi/Django_x").name; // "django-x"
 */
export function parsePurl(text: string): PackageUrl {
  return percentChecked(text, () => checked(partsOf(text)));
}

/**
 * The namespace and name of a package URL as they are written. Go and npm have names that differ only in case, although the
 * specification lower-cases them: `pkg:npm/JSONStream` is not `pkg:npm/jsonstream`.
 * @throws ScanError `malformed_purl`
 */
export function writtenPurlName(text: string): string {
  const { namespace = "", name } = percentChecked(text, () => partsOf(text));
  return [...segmentsOf(namespace), name].join("/");
}

/**
 * Longer texts are malformed: they are from documents that are not trusted, and parsing one of megabytes takes seconds. None is written
 * either, so that everything that {@link formatPurl} returns can be parsed.
 */
const maxLength = 16_384;

function checkLength(text: string): void {
  if (text.length > maxLength) throw malformed(text, `at most ${maxLength} characters`);
}

/** The decoded parts as they are written. */
function partsOf(text: string): PackageUrl {
  checkLength(text);
  const [beforeSubpath, subpath] = splitAtLast(text, "#");
  const [beforeQualifiers, qualifiers] = splitAtLast(beforeSubpath, "?");
  const scheme = /^pkg:\/*/i.exec(beforeQualifiers);
  if (!scheme) throw malformed(text, "the scheme pkg:");
  const [path, version] = splitVersion(beforeQualifiers.slice(scheme[0].length));
  const [type = "", ...segments] = segmentsOf(path);
  const name = segments.pop();
  if (name === undefined || path.endsWith("/")) throw malformed(text, "a type and a name");
  return {
    type,
    namespace: segments.map(decodeURIComponent).join("/"),
    name: decodeURIComponent(name),
    version: decodeURIComponent(version),
    qualifiers: parseQualifiers(qualifiers, text),
    subpath: subpathSegments(subpath).map(decodeURIComponent).join("/"),
  };
}

/**
 * The canonical text of a package URL.
 * @throws ScanError `malformed_purl` when the parts are not valid, or their text is longer than {@link parsePurl} takes
 * @example
 * formatPurl({ type: "deb", namespace: "debian", name: "zlib1g", version: "1.2", qualifiers: {} }); // "pkg:deb/debian/zlib1g@1.2"
 */
export function formatPurl(parts: PackageUrl): Purl {
  const { type, namespace, name, version, qualifiers, subpath } = checked(parts);
  const texts = percentChecked(`pkg:${type}/${name}`, () => [
    `pkg:${[type, ...segmentsOf(namespace), name].map(encode).join("/")}`,
    version === undefined ? "" : `@${encode(version)}`,
    ...Object.entries(qualifiers).map(([key, value], index) => `${index === 0 ? "?" : "&"}${key}=${encode(value)}`),
    subpath === undefined ? "" : `#${segmentsOf(subpath).map(encode).join("/")}`,
  ]);
  const text = texts.join("");
  checkLength(text);
  return text as Purl; // the only cast to Purl in the code base
}

/** The parts in canonical form; empty ones are left out. */
function checked(parts: PackageUrl): PackageUrl {
  const type = parts.type.toLowerCase();
  if (!/^[a-z][a-z0-9.+-]*$/.test(type)) throw malformed(parts.type, "a type of letters, digits, . + -");
  const rules = purlTypes.get(type) ?? {};
  const name = rules.name?.(parts.name) ?? parts.name;
  if (name === "") throw malformed(`pkg:${type}`, "a name");
  const namespace = segmentsOf(rules.namespace?.(parts.namespace ?? "") ?? parts.namespace).join("/");
  const subpath = subpathSegments(parts.subpath).join("/");
  const found = {
    type,
    namespace: namespace || undefined,
    name,
    version: parts.version || undefined,
    qualifiers: checkedQualifiers(parts.qualifiers),
    subpath: subpath || undefined,
  };
  const missing = rules.requires?.find((part) => found[part] === undefined);
  if (missing !== undefined) throw malformed(`pkg:${type}/${name}`, `a ${missing}`);
  return found;
}

function checkedQualifiers(qualifiers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const pairs = Object.entries(qualifiers).flatMap(([key, value]) => {
    if (!/^[A-Za-z][A-Za-z0-9._-]*$/.test(key)) throw malformed(key, "a qualifier key of letters, digits, . - _");
    return value === "" ? [] : [[key.toLowerCase(), value] as const];
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parseQualifiers(text: string, whole: string): Record<string, string> {
  const pairs = text.split("&").filter((pair) => pair !== "");
  const entries = pairs.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 0) throw malformed(whole, "qualifiers of the form key=value");
    return [pair.slice(0, equals).toLowerCase(), decodeURIComponent(pair.slice(equals + 1))] as const;
  });
  const stated = new Map<string, string>();
  for (const [name, value] of entries) {
    const kept = stated.get(name) || value; // an empty value is absent
    if (value !== "" && value !== kept) throw malformed(whole, "each qualifier once");
    stated.set(name, kept);
  }
  return Object.fromEntries(stated);
}

function segmentsOf(path = ""): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function subpathSegments(subpath?: string): string[] {
  return segmentsOf(subpath).filter((segment) => segment !== "." && segment !== "..");
}

/** The text before and after the last `separator`; without one, the whole text and an empty one. */
function splitAtLast(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.lastIndexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Many programs do not encode the `@` of an npm scope: `npm/@babel/core` has no version. */
function splitVersion(text: string): readonly [path: string, version: string] {
  const at = text.lastIndexOf("@");
  const isScope = text[at - 1] === "/" && text.includes("/", at);
  return isScope ? [text, ""] : splitAtLast(text, "@");
}

/** Encodes or decodes; a malformed escape or a lone surrogate becomes `malformed_purl`. */
function percentChecked<T>(shown: string, convert: () => T): T {
  try {
    return convert();
  } catch (cause) {
    if (cause instanceof URIError) throw malformed(shown, "percent-encoded UTF-8");
    throw cause;
  }
}

/** Percent-encodes everything but letters, digits and `. - _ ~ :`. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("%3A", ":")
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function malformed(text: string, expected: string): ScanError {
  const shown = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  return new ScanError("malformed_purl", `package URL: expected ${expected}, found ${shown}`);
}

/** The rules of a package type for the parts of its package URLs. */
interface PurlType {
  readonly namespace?: (namespace: string) => string;
  readonly name?: (name: string) => string;
  readonly requires?: readonly ("namespace" | "version")[];
}

const lowerCase = (text: string): string => text.toLowerCase();

/** Neither namespace nor name is case-sensitive. */
const caseless: PurlType = { namespace: lowerCase, name: lowerCase };

/**
 * The package types with special rules. The specification lower-cases Go module paths although Go is case-sensitive, so the
 * module path cannot be restored from a canonical package URL; many programs write the path as it is.
 * @see https://github.com/package-url/purl-spec/tree/main/types
 */
const purlTypes: ReadonlyMap<string, PurlType> = new Map<string, PurlType>([
  ["alpm", caseless],
  ["apk", caseless],
  ["bitbucket", caseless],
  ["bitnami", caseless],
  ["composer", caseless],
  ["cran", { requires: ["version"] }],
  ["deb", caseless],
  ["github", caseless],
  ["golang", caseless],
  ["hex", caseless],
  ["luarocks", caseless],
  ["npm", caseless],
  ["oci", caseless],
  ["pub", { name: lowerCase }],
  ["pypi", { name: normalizePypiName }],
  ["qpkg", { namespace: lowerCase }],
  ["rpm", { namespace: lowerCase }],
  ["swift", { requires: ["namespace", "version"] }],
]);
