import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { completeRepositories } from "../../match/records-to-judge.ts";
import { redhatRepositories } from "./enricher.ts";

const mapping = (data: unknown) => JSON.stringify({ data });
const read = (document: string) => itemsOf(redhatRepositories.updater, feedReaderOf({ "": document }));
const openshift = "cpe:/a:redhat:openshift:4.12::el8";
const formatted = "cpe:2.3:a:redhat:openshift:4.12:*:el8:*:*:*:*:*";

describe("redhatRepositories", () => {
  it("keeps the products of a repository under its name", async () => {
    expect(await read(mapping({ rhocp: { cpes: [openshift, openshift] } }))).toEqual([
      { kind: "item", item: { tags: ["rhocp"], record: [formatted] } },
    ]);
  });

  it("leaves out malformed entries and keeps the others", async () => {
    expect(
      await read(mapping({ a: { cpes: 7 }, b: { cpes: ["redhat"] }, c: 7, rhocp: { cpes: [openshift] } })),
    ).toMatchObject([
      { kind: "problem", message: expect.stringContaining("expected an array, found 7") },
      { kind: "problem", message: expect.stringContaining("CPE name") },
      { kind: "problem", message: expect.stringContaining("expected an object, found 7") },
      { kind: "item" },
    ]);
  });

  it.each([
    ["a page", "<html>", /expected JSON/],
    ["a truncated document", mapping({ a: { cpes: [] } }).slice(0, -2), /expected JSON/],
    ["a list", "[]", /expected an object/],
  ])("refuses %s", async (_, document, message) => {
    await expect(read(document)).rejects.toThrow(message);
  });

  it("finds the document in a folder", async () => {
    const files = { "metrics/repository-to-cpe.json": mapping({ a: { cpes: [openshift] } }), "notes.json": "x" };

    expect(await itemsOf(redhatRepositories.updater, feedReaderOf(files, { layout: "folder" }))).toHaveLength(1);
  });

  it("gives repositories of packages their products before matching", async () => {
    const repositories = [
      { id: "1", name: "rhocp__8", key: "content-set" },
      { id: "2", name: "unheard", key: "dnf-repository" },
      { id: "3", name: "rhocp" },
    ];
    const queries: (readonly string[])[] = [];
    const source = {
      async findEnrichments(enricher: string, tags: readonly string[]) {
        queries.push([enricher, ...tags]);
        return [{ tags: ["rhocp"], record: [formatted, "cpe:2.3:a:b:c:*:*:*:*:*:*:*:*"] }];
      },
    };
    const record = sampleRecord("rhel 8", samplePackage("a 1-1"), repositories);

    const { records } = await completeRepositories([redhatRepositories], [record, record], source);
    const [found] = records;

    expect(queries).toEqual([["redhat-repositories", "rhocp", "unheard"]]);
    expect(found?.repositories.map(({ id, cpe }) => `${id} ${cpe}`)).toEqual([
      `1 ${formatted}`,
      "1 cpe:2.3:a:b:c:*:*:*:*:*:*:*:*",
      "2 undefined",
      "3 undefined",
    ]);
  });
});
