import { describe, expect, it } from "vitest";
import { portableEngineTests } from "./engine-tests.ts";

describe("portableEngineTests", () => {
  const files = portableEngineTests(`${import.meta.dirname}/..`);

  it.each(["distributions", "ecosystems", "feeds", "index", "inflate", "layer", "match", "model", "versions"])(
    "has tests of %s",
    (area) => {
      expect(files.filter((file) => file.startsWith(`packages/core/src/${area}/`))).not.toEqual([]);
    },
  );

  it("leaves out tests that need Node, also in files that they import", () => {
    const needsNode = ["bytes/pure-hasher.test.ts", "sqlite/table.test.ts", "index/index-source.test.ts"];

    expect(needsNode.filter((file) => files.includes(`packages/core/src/${file}`))).toEqual([]);
  });
});
