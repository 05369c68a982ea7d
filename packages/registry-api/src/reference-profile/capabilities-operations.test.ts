import { expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

it.each([true, false])(
  "capabilitiesOperations tell everyone whether sparse indexes are accepted: %s",
  async (sparseIndexes) => {
    await using registry = await openTestRegistry({ settings: { compatibility: "reference", sparseIndexes } });

    const answer = await registry.anonymous("GET", "/registry/capabilities");

    expect(answer).toMatchObject({
      status: 200,
      body: {
        sparse_manifests: {
          supported: sparseIndexes,
          required_architectures: [],
          optional_architectures_allowed: sparseIndexes,
        },
        mirror_architectures: [],
      },
    });
  },
);
