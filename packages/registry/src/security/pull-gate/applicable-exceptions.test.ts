import { describe, expect, it } from "vitest";
import { applicableExceptions } from "./applicable-exceptions.ts";
import type { GateException } from "./gate.ts";

const now = Date.UTC(2026, 10, 25);

function exception(uuid: string, image: string | null): GateException {
  const all = { vulnerability: null, package: null, reason: "r", author: "ada", created: "" };
  return { ...all, uuid, image, expires: "2026-12-01T00:00:00Z" };
}

async function applicable(images: readonly (string | null)[], references: readonly string[]) {
  const exceptions = images.map((image, index) => exception(`${index}`, image));
  const found = await applicableExceptions({ exceptions }, references, now);
  return found.map(({ uuid }) => uuid);
}

describe("applicableExceptions", () => {
  it("are those without a pattern, and those whose pattern matches a reference", async () => {
    expect(await applicable([null, "a/b:v.", "a/b", "a/b@.*"], ["a/b:v1", "a/b@sha256:00"])).toEqual(["0", "1", "3"]);
  });

  it("leave out patterns that are too large, one by one or together", async () => {
    const half = "x?".repeat(120);
    const patterns = ["(.{0,30}){0,30}", ...Array.from({ length: 12 }, (_, at) => `${half}|${at}`), "a/b:v1"];

    expect(await applicable(patterns, ["a/b:v1"])).toEqual(["13"]);
    expect(await applicable(patterns, ["11"])).toEqual([]);
    expect(await applicable(patterns, ["3"])).toEqual(["4"]);
  });

  it("leave out what is reached when the steps are used up", async () => {
    const references = Array.from({ length: 2000 }, (_, at) => `a/b:${at}`.padEnd(120, "0"));

    expect(await applicable([`y{450}`, "a/b:0+"], references)).toEqual([]);
    expect(await applicable(["a/b:0+", `y{450}`], references)).toEqual(["0"]);
  });
});
