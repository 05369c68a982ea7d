import { describe, expect, it } from "vitest";
import { baseImages } from "./base-images.ts";

/** Arguments of which each is twice the one before. */
function doubling(times: number): string {
  const lines = Array.from({ length: times }, (_, at) => `ARG A${at + 1}=$A${at}$A${at}\n`);
  return `ARG A0=aa\n${lines.join("")}`;
}

interface ImagesRow {
  readonly name: string;
  readonly dockerfile: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly images: readonly string[];
}

const rows: readonly ImagesRow[] = [
  { name: "an image", dockerfile: "# base\nfrom debian:12\nRUN echo FROM other\n", images: ["debian:12"] },
  { name: "stages", dockerfile: "FROM a AS One\nFROM one\nFROM scratch\nCOPY --from=0 /a /\n", images: ["a"] },
  { name: "copies", dockerfile: "FROM scratch\nCOPY --chown=1 --from=tools:1 a /\n", images: ["tools:1"] },
  { name: "mounts", dockerfile: "FROM a\nRUN --mount=type=bind,from=b,target=/b ls\n", images: ["a", "b"] },
  { name: "platforms", dockerfile: "FROM --platform=$BUILDPLATFORM a AS b\n", images: ["a"] },
  { name: "defaults", dockerfile: 'ARG T="3"\nARG N=a:$T\nFROM ${N}\n', images: ["a:3"] },
  { name: "arguments", dockerfile: "ARG T=3\nFROM a:$T\n", given: { T: "4", toString: "5" }, images: ["a:4"] },
  { name: "alternatives", dockerfile: "ARG T\nFROM a:${T:-1}\nFROM b${T:+:2}\n", images: ["a:1", "b"] },
  { name: "arguments of a stage", dockerfile: "FROM a\nARG T=3\nFROM b$T\n", images: ["a", "b"] },
  { name: "an argument that was not declared", dockerfile: "FROM a$T\n", given: { T: "3" }, images: ["a"] },
  { name: "long lines", dockerfile: "FROM \\\n# why\n  a \\\n  AS b\nFROM b\n", images: ["a"] },
  { name: "another escape", dockerfile: "# escape=`\nFROM `\na\n", images: ["a"] },
  { name: "options instead of images", dockerfile: "FROM -x\nCOPY --from=-y a b\n", images: [] },
  { name: "values in values", dockerfile: "FROM ${A:-${B}}\n", images: [] },
  { name: "the first words of an instruction", dockerfile: "FROM a\nRUN x --mount=from=b\n", images: ["a"] },
  { name: "a value that doubles 40 times", dockerfile: `${doubling(40)}FROM $A40\nFROM $A2\n`, images: ["aaaaaaaa"] },
  { name: "a text of 100,000 variables", dockerfile: `ARG A=a\nFROM ${"$A".repeat(100_000)}\nFROM b\n`, images: ["b"] },
  { name: "nothing", dockerfile: "\n", images: [] },
];

describe("baseImages", () => {
  it.each(rows)("finds $images for $name", ({ dockerfile, given = {}, images }) => {
    expect(baseImages(dockerfile, given)).toEqual(images);
  });

  it.each([
    { dockerfile: "FROM a\n".repeat(20_000), problem: "The Dockerfile has more than 20000 lines" },
    {
      dockerfile: Array.from({ length: 101 }, (_, at) => `FROM a${at}`).join("\n"),
      problem: "The Dockerfile uses more than 100 images",
    },
  ])("refuses a Dockerfile: $problem", ({ dockerfile, problem }) => {
    expect(() => baseImages(dockerfile, {})).toThrow(problem);
  });
});
