import { fingerprintText } from "../../bytes/fingerprint.ts";
import { redhatContainersKey } from "../../ecosystems/redhat-container/matcher.ts";
import { redhatProductsKey } from "../../ecosystems/rpm/product-scope.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import type { ProductRow } from "./product-rows.ts";

/** The common members of all advisories about a vulnerability. */
export interface SharedFacts extends Pick<Advisory, "name" | "aliases" | "description" | "issuedAt" | "links"> {
  /** The id of the document. */
  readonly document: string;
}

/**
 * The advisories of rows. Rows that differ only in the architecture become one, then those that differ only in the version of the fix, then
 * those that differ only in the product: one vulnerability may have thousands of rows that are mostly the same.
 */
export function rowAdvisories(facts: SharedFacts, rows: readonly ProductRow[]): readonly Advisory[] {
  const byVersion = groups(rows, (row) => [...identityOf(row), row.evr, row.cpe]).map(([row, all]) => ({
    ...row,
    arches: distinct(all.flatMap(({ arch }) => arch ?? [])),
  }));
  const byProduct = groups(byVersion, (row) => [...identityOf(row), row.cpe, row.arches.join("|")]).map(
    ([row, all]) => ({ ...row, fixes: distinct(all.flatMap(({ evr }) => evr ?? [])) }),
  );
  const statements = groups(byProduct, (row) => [...identityOf(row), row.arches.join("|"), row.fixes.join(" ")]);
  return statements.map(([row, all]) => advisoryOf(facts, { ...row, cpes: distinct(all.map(({ cpe }) => cpe)) }));
}

function identityOf(row: ProductRow): readonly unknown[] {
  const { kind, name, module, status, rating, remediation } = row;
  const { severity, normalizedSeverity } = rating;
  return [
    ecosystemOf(row),
    kind,
    name,
    module,
    row.introduced,
    status,
    severity,
    normalizedSeverity,
    remediation.url,
    remediation.word,
  ];
}

/** Groups elements by key; each group with its first element. */
function groups<T>(
  elements: readonly T[],
  keyOf: (element: T) => readonly unknown[],
): (readonly [first: T, all: readonly T[]])[] {
  const found = new Map<string, [T, T[]]>();
  for (const element of elements) {
    const key = keyOf(element).join("\0");
    const group = found.get(key);
    if (group === undefined) found.set(key, [element, [element]]);
    else group[1].push(element);
  }
  return [...found.values()];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

/** A row with the architectures, fixes and products of all rows that it combines. */
interface Statement extends ProductRow {
  readonly arches: readonly string[];
  readonly fixes: readonly string[];
  readonly cpes: readonly string[];
}

function advisoryOf(facts: SharedFacts, statement: Statement): Advisory {
  const { document, ...shared } = facts;
  const { kind, name, module, arches, fixes, cpes, status, rating, remediation, introduced } = statement;
  const ecosystem = ecosystemOf(statement);
  const ranges: readonly AdvisoryRange[] = fixes.length === 0 ? [{}] : fixes.map((fixed) => ({ introduced, fixed }));
  const identity = [kind, module, status, arches.join("|"), rating.severity, remediation.url, ...cpes].join("\0");
  const erratum = /\/errata\/(RH[A-Z]{2}-\d{4}:\d+)$/.exec(remediation.url ?? "")?.[1];
  return {
    id: `redhat/${document === facts.name ? "" : `${document}/`}${facts.name}/${ecosystem}/${name}/${fingerprintText(identity).slice(0, 16)}`,
    updater: "redhat",
    ...shared,
    aliases: erratum === undefined ? facts.aliases : [...facts.aliases, erratum],
    links: remediation.url === undefined ? facts.links : [...facts.links, remediation.url],
    ecosystem,
    packageName: name,
    packageKind: kind,
    module,
    arch: arches.length > 0 ? { operation: "pattern match", value: arches.join("|") } : undefined,
    cpes,
    status,
    ranges,
    versions: [],
    severity: rating.severity,
    normalizedSeverity: rating.normalizedSeverity,
    remediation: remediation.word,
  };
}

/** The key of the release of a row, from the product's name or the build of the package; {@link redhatProductsKey} where neither contains it. */
function ecosystemOf({ cpe, evr = "", isContainer }: ProductRow): string {
  if (isContainer === true) return redhatContainersKey;
  const major =
    /:el(\d+)/.exec(cpe)?.[1] ??
    /:redhat:(?:enterprise_linux|rhel_(?:aus|e4s|els|eus|extras|tus)\w*):(\d+)/.exec(cpe)?.[1] ??
    /\.el(\d+)/.exec(evr)?.[1];
  return major === undefined ? redhatProductsKey : `rhel:${major}`;
}
