/** Findings that people have judged in real images, as far as a whole feed of the packages' ecosystem is at hand. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { go } from "../ecosystems/go/index.ts";
import { osvUpdater } from "../feeds/osv/updater.ts";
import { feedReaderOf } from "../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../feeds/shared/fixtures/items-of.ts";
import type { Advisory } from "../model/advisory.ts";
import { languageKey } from "../model/package.ts";
import { sampleRecord } from "./fixtures/samples.ts";
import { matchRecords } from "./match-records.ts";

const corpus = findCorpus();

/** One judgement: whether a vulnerability is in a package of an image. */
interface Label {
  readonly image: string;
  readonly id: string;
  readonly cve: string | null;
  readonly label: "TP" | "FP" | "??";
  readonly name: string;
  readonly version: string;
}

function readLabels(): readonly Label[] {
  const lines = gunzipSync(readFileSync(`${corpus}/data/expected/match-labels/labels.jsonl.gz`))
    .toString()
    .trim();
  return lines.split("\n").map((line) => JSON.parse(line) as Label);
}

async function readAdvisories(): Promise<readonly Advisory[]> {
  const zip = readFileSync(`${corpus}/data/feeds/osv-full/Go/osv-Go-all.zip`);
  const items = await itemsOf(osvUpdater({ ecosystems: ["Go"] }), feedReaderOf({ "": zip }));
  return items.flatMap((item) => (item.kind === "item" ? item.item : []));
}

/** The advisories about a label's package and vulnerability. */
function aboutLabel({ id, cve, name }: Label, byPackage: Partial<Record<string, Advisory[]>>): readonly Advisory[] {
  return (byPackage[name] ?? []).filter((advisory) => {
    const names = [advisory.name, ...advisory.aliases];
    return names.includes(id) || (cve !== null && names.includes(cve));
  });
}

function isFound({ name, version }: Label, advisories: readonly Advisory[]): boolean {
  const repositories = [{ id: "1", name: "go", key: languageKey }];
  const record = sampleRecord("none", { id: "1", name, version, kind: "BINARY" }, repositories);
  return matchRecords(go.matchers, { records: [record], advisories }).affected.length > 0;
}

/** The feed says that the flaw came with 1.0.1; the judgement goes by an advisory that names only the fix. */
const introducedLater = ["github.com/opencontainers/runc v0.1.1"];

/** The flaw is in the program of the module; these programs contain packages of it that clients use. A build does not say which. */
const programsOfTheServer = [
  "github.com/containerd/containerd v1.3.4",
  "github.com/docker/docker v20.10.18+incompatible",
  "github.com/opencontainers/runc v0.1.1",
];

interface Judged {
  readonly label: Label;
  readonly found: boolean;
}

/** The packages of judgements, each once. */
function linesOf(judged: readonly Judged[], isMeant: (row: Judged) => boolean): readonly string[] {
  return [...new Set(judged.filter(isMeant).map(({ label }) => `${label.name} ${label.version}`))].sort();
}

/** The image without its registry and all but the start of its digest. */
function shortName(image: string): string {
  return image.replace(/^docker\.io\//, "").replace(/@sha256:([0-9a-f]{6}).*$/, "@$1");
}

describe.skipIf(corpus === undefined)("the matcher of Go, with what people have judged", () => {
  it("finds all that is there, and of the rest what only the code in the program could tell", async () => {
    const byPackage = Object.groupBy(await readAdvisories(), ({ packageName }) => packageName);

    const judged: readonly Judged[] = readLabels()
      .map((label) => ({ label, advisories: aboutLabel(label, byPackage) }))
      .filter(({ advisories }) => advisories.length > 0)
      .map(({ label, advisories }) => ({ label, found: isFound(label, advisories) }));

    const images = Object.groupBy(judged, ({ label }) => shortName(label.image));
    const figures = Object.entries(images).map(([image, rows = []]) => {
      const count = (kind: Label["label"], { found }: { readonly found: boolean }) =>
        rows.filter((row) => row.label.label === kind && row.found === found).length;
      return `${image}: ${count("TP", { found: true })} right, ${count("TP", { found: false })} missed, ${count("FP", { found: true })} wrong, ${count("FP", { found: false })} rightly not found`;
    });
    expect(figures.sort()).toEqual([
      "anchore/test_images@7536ee: 20 right, 2 missed, 12 wrong, 0 rightly not found",
      "anchore/test_images@d1819e: 6 right, 0 missed, 0 wrong, 0 rightly not found",
      "cloudbees/cloudbees-core-agent@d48f05: 17 right, 0 missed, 0 wrong, 0 rightly not found",
      "gitlab/gitlab-ce@04d421: 26 right, 0 missed, 0 wrong, 0 rightly not found",
      "hashicorp/vault@09354c: 10 right, 0 missed, 3 wrong, 0 rightly not found",
    ]); // pooled: recall 79 of 81, precision 79 of 94
    expect(linesOf(judged, (row) => row.label.label === "TP" && !row.found)).toEqual(introducedLater);
    expect(linesOf(judged, (row) => row.label.label === "FP" && row.found)).toEqual(programsOfTheServer);
  });
});
