import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { allEcosystems } from "../../ecosystems/all.ts";
import { samplePackage } from "../../match/fixtures/samples.ts";
import { languageKey } from "../../model/package.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { zipTexts } from "../shared/fixtures/zip-texts.ts";
import { osvUpdater } from "./updater.ts";
import { osvVersionOrder } from "./version-orders.ts";

const corpus = findCorpus();

type Event = Readonly<Partial<Record<"introduced" | "fixed" | "last_affected" | "limit", string>>>;

interface Entry {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly ranges?: readonly { readonly type: string; readonly events: readonly Event[] }[];
  readonly versions?: readonly string[];
  readonly ecosystem_specific?: { readonly custom_ranges?: unknown };
}

interface OsvRecord {
  readonly id: string;
  readonly withdrawn?: string;
  readonly affected?: readonly Entry[];
}

/** The pseudocode of the schema, word for word. @see https://ossf.github.io/osv-schema/#evaluation */
function isVulnerable(order: VersionScheme, version: string, entries: readonly Entry[]): boolean {
  const found = order.parse(version);
  const compareTo = (other: string) => (other === "0" ? 1 : order.compare(found, order.parse(other)));
  const textOf = (event: Event) => Object.values(event)[0] ?? "";
  const isInRange = (events: readonly Event[]): boolean => {
    let vulnerable = false;
    const parsed = events.map((event) => ({
      event,
      at: textOf(event) === "0" ? undefined : order.parse(textOf(event)),
    }));
    parsed.sort((a, b) => {
      if (a.at === undefined || b.at === undefined) return Number(b.at === undefined) - Number(a.at === undefined);
      return order.compare(a.at, b.at);
    });
    for (const { event } of parsed) {
      if (event.introduced !== undefined && compareTo(event.introduced) >= 0) vulnerable = true;
      else if (event.fixed !== undefined && compareTo(event.fixed) >= 0) vulnerable = false;
      else if (event.last_affected !== undefined && compareTo(event.last_affected) > 0) vulnerable = false;
    }
    return vulnerable;
  };
  return entries.some(
    ({ ranges = [], versions = [] }) => versions.includes(version) || ranges.some(({ events }) => isInRange(events)),
  );
}

/** Each version that a record names, and one between: the version with a further number. */
function candidates(entries: readonly Entry[]): readonly string[] {
  const named = entries.flatMap(({ ranges = [], versions = [] }) => [
    ...versions,
    ...ranges.flatMap(({ events }) => events.flatMap((event) => Object.values(event))),
  ]);
  const others = named.flatMap((text) =>
    /^\d+\.\d+\.\d+$/.test(text) ? [text.replace(/\d+$/, (last) => `${Number(last) + 1}`)] : [],
  );
  return [...new Set(["0.0.1", ...named, ...others, "999.0.0"])].filter((text) => text !== "0");
}

describe.skipIf(corpus === undefined)("records of OSV", () => {
  it.each(["Go", "crates.io"])("are judged as the schema evaluates them: %s", async (ecosystem) => {
    const zip = readFileSync(`${corpus}/data/feeds/osv-full/${ecosystem}/osv-${ecosystem}-all.zip`);
    const items = await itemsOf(osvUpdater({ ecosystems: [ecosystem] }), feedReaderOf({ "": zip }));
    const advisories = new Map(items.flatMap((each) => (each.kind === "item" ? [[each.item.id, each.item]] : [])));
    const order = osvVersionOrder(ecosystem);
    const repositories = [{ id: "1", name: ecosystem === "Go" ? "go" : ecosystem, key: languageKey }];
    const matchers = allEcosystems.flatMap((each) => each.matchers);
    let judged = 0;
    const different: string[] = [];

    for (const text of zipTexts(zip).values()) {
      const { id, withdrawn, affected = [] } = JSON.parse(text) as OsvRecord;
      for (const [name, entries] of Map.groupBy(affected, (entry) => entry.package.name)) {
        if (withdrawn !== undefined || entries.some((entry) => entry.ecosystem_specific?.custom_ranges !== undefined))
          continue;
        const advisory = advisories.get(`osv/${id}/${ecosystem}/${name}`);
        const { imports: _, ...rule } = advisory ?? { imports: undefined };
        for (const version of candidates(entries)) {
          const record = { package: samplePackage(`${name} ${version}`), packageDb: "", repositories };
          const matcher = matchers.find((each) => each.accepts(record));
          const isFound = advisory !== undefined && matcher?.judge(record, rule as typeof advisory).kind === "affected";
          judged++;
          if (isFound !== isVulnerable(order, version, entries)) different.push(`${id} ${name} ${version}: ${isFound}`);
        }
      }
    }

    expect(different).toEqual([]);
    expect(judged).toBeGreaterThan(4_000);
  });
});
