import { expect, it } from "vitest";
import { wantsBuilds } from "./open-registry.ts";

it.each([
  [{ userCreation: true }, false],
  [{ userCreation: false }, true],
  [{ userCreation: true, builds: true }, true],
  [{ userCreation: false, builds: false }, false],
])("with %j, builds are wanted: %s", (features, wanted) => {
  expect(wantsBuilds(features)).toBe(wanted);
});
