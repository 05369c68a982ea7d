import { stranger, unboundedParts, valuesWithStrangers } from "@plimsoll/testing";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildHookOperations } from "../build-hooks/register-build-hooks.ts";
import { distributionOperations } from "../distribution/operations.ts";
import { tokenOperations } from "../distribution/token-service.ts";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { keyServerOperations } from "../key-server/register-key-server.ts";
import type { RegistryOperation } from "../operation.ts";
import { registryOperations } from "../operations.ts";
import { pageOperations } from "../pages/register-pages.ts";
import { operationsIn, referenceOperations } from "../reference-profile/compatibility.ts";

const anyone = { who: "anyone", admits: [], anonymous: "always", admit: async () => ({}) } as const;

/** Operations that do not serve the management API. */
const others = [
  ...tokenOperations,
  ...buildHookOperations,
  ...keyServerOperations,
  ...pageOperations,
  ...distributionOperations,
];

describe("a declared query or body", () => {
  it.each([...registryOperations, ...referenceOperations, ...others])(
    "of $id bounds its values",
    ({ id, query, body }) => {
      const found = [...unboundedParts(query), ...unboundedParts(body)].map(({ path: part }) => `${id} ${part}`);

      expect(found.filter((each) => !refused.includes(each))).toEqual([]);
    },
  );

  it("is not missing where a request has one", () => {
    const sending = others.filter(({ method }) => ["POST", "PUT", "PATCH"].includes(method));

    expect(sending.filter(({ body }) => body === undefined).map(({ id }) => id)).toEqual(streamed);
  });
});

/** Members of private keys: what is submitted with one of them is refused as a whole, whatever its value. */
const refused = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].map((name) => `submitServiceKey /${name}`);

/** Operations of the distribution protocol, whose bodies are bytes that nothing parses before their handlers. */
const streamed = ["pushManifest", "startUpload", "continueUpload", "completeUpload"];

describe.each(["contract", "reference"] as const)("an operation in the profile %s", (profile) => {
  const withBody = operationsIn(profile, registryOperations).filter(({ body }) => body !== undefined);
  let registry: TestRegistry;
  let received: unknown[] = [];

  /** The same operation for every caller, which only keeps what it gets. */
  function probe(operation: RegistryOperation): RegistryOperation {
    const keep = async ({ body }: { readonly body: unknown }) => void received.push(structuredClone(body));
    const { feature: _, keeps: __, freshLogin: ___, version: ____, ...declared } = operation;
    return { ...declared, access: anyone, prepare: keep, handle: keep };
  }

  beforeAll(async () => {
    registry = await openTestRegistry({ operations: withBody.map(probe) });
  });
  afterAll(() => registry?.[Symbol.asyncDispose]());

  it.each(withBody)("$id gets only what it declares, at every depth", async ({ method, path, body }) => {
    const accepted = Compile(body ?? {});
    for (const value of valuesWithStrangers(body ?? {})) {
      received = [];

      const { body: answer } = await registry.anonymous(method, path.replaceAll(/\{\w+\}/g, "a%2Fb"), value);

      expect(accepted.Check(value)).toBe(true);
      expect(received, JSON.stringify(answer)).toHaveLength(2); // prepare and handle
      for (const each of received) {
        expect(JSON.stringify(each)).not.toContain(stranger);
        expect(accepted.Check(each)).toBe(true);
      }
    }
  });
});
