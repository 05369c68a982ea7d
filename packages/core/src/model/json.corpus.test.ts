import { readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { parseJson } from "./json.ts";
import { documentPlace, memberAt, sizeAt } from "./json-place.ts";

const corpus = findCorpus();
const read = (name: string) => parseJson(readFileSync(`${corpus}/data/bad/generated/json/${name}`), name);

describe.skipIf(corpus === undefined)("parseJson", () => {
  it.each(["empty.json", "null.json", "truncated.json", "trailing-comma.json", "invalid-utf8.json", "deep-100k.json"])(
    "refuses %s, naming it",
    (name) => {
      expect(() => read(name)).toThrow(ScanError);
      expect(() => read(name)).toThrow(name);
    },
  );

  it("gives one value of a member that occurs twice", () => {
    expect(read("dup-keys.json")).toEqual({ id: "B" });
  });

  it("gives a lone surrogate that can be printed and stored", () => {
    const value = read("lone-surrogate.json");

    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    expect(new TextEncoder().encode(JSON.stringify(value)).length).toBeGreaterThan(0);
  });

  it("lets no size be infinite or inexact", () => {
    const place = documentPlace(read("big-number.json"), "big-number.json", "malformed_image");

    expect(() => sizeAt(memberAt(place, "size"))).toThrow("big-number.json: size: expected a whole number");
    expect(() => sizeAt(memberAt(place, "n"))).toThrow("big-number.json: n: expected a whole number");
  });
});
