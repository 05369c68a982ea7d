import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findBuildah } from "./buildah-builder.ts";

it("findBuildah finds none where no program of that name is", () => {
  expect(findBuildah({ folder: join(tmpdir(), "none"), environment: { PATH: "/nowhere" } })).toBeUndefined();
});
