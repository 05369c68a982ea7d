import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findBuildah } from "./buildah-builder.ts";

it("findBuildah finds none where no program of that name is", () => {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-builds-"));

  const builder = findBuildah({ folder, environment: { PATH: "/nowhere" } });

  rmSync(folder, { recursive: true });
  expect(builder).toBeUndefined();
});
