import { ScanError } from "../errors.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import { type Cpe, parseCpe } from "./cpe/format.ts";
import { parsePurl } from "./purl.ts";
import { recordPurl } from "./record-purl.ts";

/** The attributes of a CPE name that are derived from a package URL. */
interface Product {
  readonly vendor: string;
  readonly product: string;
  readonly targetSw?: string;
}

/** The parts of a package URL that have names. */
interface Named {
  readonly namespace: string;
  readonly name: string;
}

/**
 * A CPE name derived from the names of a package, for programs that require one. It is a guess: the National Vulnerability Database may use
 * other names for the product. It is not used for matching. Undefined for packages without a package URL, and for names with characters
 * that are not allowed in CPE names.
 *
 * @see https://nvlpubs.nist.gov/nistpubs/Legacy/IR/nistir7695.pdf section 5
 * @example
 * const found = { id: "1", name: "org.apache.commons:commons-text", version: "1.9", kind: "BINARY" } as const;
 * const repositories = [{ id: "1", name: "maven" }];
 * derivedCpe({ package: found, repositories }); // "cpe:2.3:a:apache:commons-text:1.9:*:*:*:*:*:*:*"
 */
export function derivedCpe(record: Pick<IndexRecord, "package" | "distribution" | "repositories">): Cpe | undefined {
  const purl = recordPurl(record);
  if (purl === undefined) return undefined;
  const { type, namespace = "", name } = parsePurl(purl);
  const { vendor, product, targetSw = "" } = (products.get(type) ?? byName())({ namespace, name });
  const { version } = record.package;
  const software = targetSw === "" ? "*" : quoted(targetSw);
  const values = [quoted(vendor), quoted(product), version === "" ? "*" : quoted(version), "*:*:*:*", software, "*:*"];
  return findCpe(`cpe:2.3:a:${values.join(":")}`);
}

/** Vendor and product by the type of the package URL. For all other types, both are the package's name. */
const products: ReadonlyMap<string, (named: Named) => Product> = new Map([
  ["cargo", byName("rust")],
  ["composer", byNamespace("php")],
  ["gem", byName("ruby")],
  ["golang", goProduct],
  ["maven", mavenProduct],
  ["npm", byNamespace("node.js")],
  ["nuget", byName(".net")],
  ["pypi", byName("python")],
  ["wordpress", byName("wordpress")],
]);

function byName(targetSw?: string): (named: Named) => Product {
  return ({ name }) => ({ vendor: name, product: name, targetSw });
}

/** `@babel/core` is `core` of `babel`. */
function byNamespace(targetSw: string): (named: Named) => Product {
  return ({ namespace, name }) => ({ vendor: namespace.replace(/^@/, "") || name, product: name, targetSw });
}

/** `org.apache.commons` is of `apache`: a group begins with a domain name, last label first. */
function mavenProduct({ namespace, name }: Named): Product {
  const [first = "", second = first] = namespace.split(".");
  return { vendor: second || name, product: name };
}

/** Hosts whose paths begin with the owner of a repository. */
const forges: ReadonlySet<string> = new Set(["bitbucket.org", "codeberg.org", "github.com", "gitlab.com"]);

/** `github.com/docker/cli` is `cli` of `docker`, `golang.org/x/net` is `net` of `golang`; `/v2` at the end is not part of the name. */
function goProduct({ namespace, name }: Named): Product {
  if (namespace === "" && name === "stdlib") return { vendor: "golang", product: "go" };
  const [host = "", ...path] = [...namespace.split("/"), name].filter((part) => part !== "" && !/^v\d+$/.test(part));
  const site = host.split(".").at(-2) ?? host;
  const [owner = site, repository = owner] = path;
  return forges.has(host) ? { vendor: owner, product: repository } : { vendor: site, product: path.at(-1) ?? site };
}

/** Escapes a text for a formatted string: a backslash before punctuation other than `. - _`, and before a single dash, which would mean "none". */
function quoted(text: string): string {
  return text === "-" ? "\\-" : text.replace(/[!-,/:-@[-^`{-~]/g, "\\$&");
}

function findCpe(text: string): Cpe | undefined {
  try {
    return parseCpe(text);
  } catch (error) {
    if (error instanceof ScanError && error.code === "malformed_cpe") return undefined;
    throw error;
  }
}
