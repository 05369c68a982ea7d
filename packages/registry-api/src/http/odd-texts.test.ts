import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

/** A value nested in a number of objects. */
function nested(depth: number): object {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

const tooDeep = `{"unstructured_metadata":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "registerManagementApi on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "refuses texts that are no names and that databases cannot store",
      async () => {
        await using registry = await openTestRegistry({ engine });
        const ann = await registry.session(await registry.user("ann"));

        const answers = [
          await ann("GET", "/organization/%00"),
          await ann("GET", "/entities/a%00b"),
          await ann("GET", "/entities/%ed%a0%80"),
          await ann("GET", "/entities/a?namespace=%00"),
          await ann("PUT", "/user/robots/ci", { description: "a\0b" }),
          await ann("PUT", "/user/robots/ci", { unstructured_metadata: { deep: [{ text: "\0" }] } }),
          await ann("PUT", "/user/robots/ci", { unstructured_metadata: nested(100) }),
        ];

        expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400, 400, 400, 400]);
        expect(answers[4]?.body.detail).toBe("body: a string contains the character U+0000");
        expect(answers[6]?.body.detail).toBe("body: is nested more than 100 deep");
        expect((await ann("PUT", "/user/robots/ci", { unstructured_metadata: nested(90) })).status).toBe(200);
      },
    );
  },
);

describe("registerManagementApi", () => {
  it("refuses a body that is nested too deeply", async () => {
    await using registry = await openTestRegistry();

    const deep = await registry.app.inject({
      method: "POST",
      url: "/api/v1/signin",
      headers: { "content-type": "application/json" },
      payload: tooDeep,
    });

    expect(deep.json()).toMatchObject({ status: 400, detail: "body: is nested more than 100 deep" });
  });

  it.each([
    { url: "/api/v1/organization/%ff", body: { status: 400, title: "invalid_request", code: "FST_ERR_BAD_URL" } },
    { url: "/v2/acme/app/manifests/%", body: { errors: [{ code: "INVALID_REQUEST" }] } },
    { url: "/%c0%af", body: { status: 400, title: "invalid_request" } },
  ])("refuses $url, which cannot be decoded, as its API does", async ({ url, body }) => {
    await using registry = await openTestRegistry();

    const answer = await registry.app.inject({ url });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject(body);
  });
});
