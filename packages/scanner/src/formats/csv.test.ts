import { describe, expect, it } from "vitest";
import { toCsv } from "./csv.ts";
import { emptyImage, hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";

/** Reads a text as RFC 4180 says, all of whose fields are quoted. */
function records(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, field = "", end] of text.matchAll(/"((?:[^"]|"")*)"(,|\r\n|$)/g)) {
    rows.at(-1)?.push(field.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows;
}

const [titles = [], ...rows] = records(toCsv(sampleImage(), stamp));
const column = (name: string) => rows.map((row) => row[titles.indexOf(name)]);

describe("toCsv", () => {
  it("has a line for each finding, each suppressed finding, and each gap", () => {
    const counts = Object.fromEntries(
      [...Map.groupBy(column("status"), String)].map(([key, all]) => [key, all.length]),
    );

    expect(counts).toEqual({ affected: 3, suppressed: 1, "not assessed": 5 });
    expect(column("vulnerability")[0]).toBe("CVE-2023-5678");
  });

  it("is never empty where nothing could be told", () => {
    expect(toCsv(emptyImage(), stamp)).toContain("not assessed");
  });

  it("says how many findings are not shown", () => {
    expect(toCsv(sampleImage(), { ...stamp, shows: () => false })).toContain("3 more findings");
  });

  it.each(hostileImages)("keeps texts with %s in their fields", (_, image) => {
    const read = records(toCsv(image, stamp));

    expect(new Set(read.map(({ length }) => length))).toEqual(new Set([titles.length]));
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])("has no formula where a text is %j", (text) => {
    const [, [first] = []] = records(toCsv({ ...sampleImage(), reference: text }, stamp));

    expect(first).toBe(`'${text}`);
  });
});
