import { describe, expect, expectTypeOf, it } from "vitest";
import type { Given, ResultOf } from "./operation.ts";

describe("Given", () => {
  it("has the parts that the declaration has", () => {
    expectTypeOf<Given<"DELETE /user/apptoken/{token_uuid}">>().toHaveProperty("params").toEqualTypeOf<{
      readonly token_uuid: string;
    }>();
    expectTypeOf<Given<"DELETE /user/apptoken/{token_uuid}">>().not.toHaveProperty("body");
    expectTypeOf<Given<"POST /user/apptoken">>().toHaveProperty("body").toEqualTypeOf<{ readonly title: string }>();
    expectTypeOf<Given<"POST /user/apptoken">>().not.toHaveProperty("query");
  });

  it("has the parameters of each path where one of several operations is called", () => {
    type Either = Given<"GET /organization/{orgname}/logs" | "GET /repository/{repository}/logs" | "GET /user/logs">;

    expectTypeOf<Either>().toHaveProperty("params").toEqualTypeOf<{
      readonly orgname: string;
      readonly repository: string;
    }>();
  });
});

describe("ResultOf", () => {
  it("is what the declaration says", () => {
    expectTypeOf<ResultOf<"DELETE /user/apptoken/{token_uuid}">>().toEqualTypeOf<undefined>();
    expectTypeOf<ResultOf<"GET /user/apptoken">["tokens"][number]["title"]>().toEqualTypeOf<string>();
  });

  it("is the value in JSON, not what the server makes it of", () => {
    type Report = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/security/report">;

    expectTypeOf<NonNullable<Report["document"]>["content"]>().toEqualTypeOf<string>();
  });

  it("brings no types of the server or of Node into pages", () => {
    // @ts-expect-error: pages have no `process`. If this compiles, `dist/calls.d.ts` of registry-api imports types of the server
    expect(process).toBeDefined();
  });
});
