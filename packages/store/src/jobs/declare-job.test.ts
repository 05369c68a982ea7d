import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { job } from "./declare-job.ts";
import { enqueueJob } from "./enqueue-job.ts";
import type { NewJob } from "./job.ts";

const ship = job({
  kind: "shop.ship",
  payload: Type.Object({ order: Type.String(), customer: Type.String() }),
  key: ({ order }) => order,
  tenant: ({ customer }) => customer,
  maxAttempts: 3,
  staleAfterSeconds: 60,
  handle: async (_, __: { readonly carrier: string }) => {},
});

describe("withContext", () => {
  it("returns a kind for a worker, which checks its payloads", async () => {
    const seen: string[] = [];
    const payload = Type.Object({ build: Type.String() });
    const build = job({
      kind: "shop.build",
      payload,
      handle: async (attempt) => void seen.push(attempt.payload.build),
    });
    const runnable = build.withContext({});

    await runnable.run({ payload: { build: "1" } } as never);
    await expect(runnable.run({ payload: { build: 1 } } as never)).rejects.toThrow(
      "the payload of shop.build does not match its schema: /build must be string",
    );

    expect(seen).toEqual(["1"]);
    expect(runnable).not.toHaveProperty("of");
  });
});

describe("job", () => {
  it("creates jobs with the key, the tenant and the rules of their kind", () => {
    const { parts } = ship.of({ order: "17", customer: "ann" }, { runAt: 5 });

    expect(parts).toEqual({
      kind: "shop.ship",
      payload: { order: "17", customer: "ann" },
      uniqueKey: "shop.ship:17",
      tenant: "ann",
      maxAttempts: 3,
      staleAfterSeconds: 60,
      runAt: 5,
    });
  });

  it("uses the kind as the key of a kind with one job at a time", () => {
    expect(job({ kind: "shop.sweep", key: () => "", handle: async () => {} }).keyOf(null)).toBe("shop.sweep");
  });

  it("does not compile without a handler, with another payload or with another context", () => {
    // The compiler checks each line: an unmet expectation is itself an error.
    const mistakes = (clock: { now(): number }) => [
      // @ts-expect-error a kind without a handler
      job({ kind: "shop.lost" }),
      // @ts-expect-error a payload without its members
      ship.of({ order: "17" }),
      // @ts-expect-error a context that the handler cannot use
      ship.withContext({}),
      // @ts-expect-error an object that no kind has created
      enqueueJob({} as never, { kind: "shop.ship", payload: {} }, clock),
      // @ts-expect-error an object with the members of a job
      { parts: {} } satisfies NewJob,
    ];

    expect(mistakes).toBeTypeOf("function");
  });
});
