import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allEcosystems } from "./all.ts";

describe("allEcosystems", () => {
  it("lists every folder that holds an ecosystem", () => {
    const here = import.meta.dirname;
    const folders = readdirSync(here).filter((name) => existsSync(`${here}/${name}/index.ts`));

    expect(allEcosystems.map((ecosystem) => ecosystem.name).sort()).toEqual(folders.sort());
  });
});
