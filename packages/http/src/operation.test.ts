import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { DocumentTypes } from "./documents/document-operation.ts";
import { bind, operationsFor } from "./operation.ts";

const operation = operationsFor<DocumentTypes<{ readonly prefix: string }>>();
const declared = { method: "GET", summary: "Get it.", success: 200, refusals: [] } as const;

describe("operationsFor", () => {
  it("types a handler's parameters and its result by the declaration", async () => {
    const getQuota = operation({
      ...declared,
      id: "getQuota",
      path: "/organization/{orgname}/quota/{quota_id}",
      query: Type.Object({ unit: Type.Optional(Type.String()) }),
      result: Type.Object({ names: Type.Array(Type.String()) }),
      handle: async ({ params, query }, { prefix }) => {
        const names: readonly string[] = [prefix, params.orgname, params.quota_id, query.unit ?? "bytes"];
        return { names };
      },
    });
    const [bound] = bind([getQuota], { prefix: "of" });

    const result = await bound?.handle({ params: { orgname: "acme", quota_id: "1" }, query: {} } as never);

    expect(result).toEqual({ names: ["of", "acme", "1", "bytes"] });
  });

  it("does not compile a contradictory declaration", () => {
    const contradictions = [
      operation({
        ...declared,
        id: "unknownParameter",
        path: "/things/{name}",
        // @ts-expect-error the path has no such parameter
        handle: async ({ params }) => void params.nam,
      }),
      operation({
        ...declared,
        id: "wrongResult",
        path: "/things",
        result: Type.Object({ count: Type.Integer() }),
        // @ts-expect-error the result is not a number
        handle: async () => ({ count: "1" }),
      }),
      operation({
        ...declared,
        id: "wrongSchema",
        path: "/things/{name}",
        // @ts-expect-error the schema is of another parameter
        params: Type.Object({ id: Type.String() }),
        handle: async () => {},
      }),
    ];

    expect(contradictions).toHaveLength(3);
  });
});
