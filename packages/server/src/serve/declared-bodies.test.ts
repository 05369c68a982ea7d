import { documentApi, registerApi } from "@plimsoll/http";
import { indexerOperations } from "@plimsoll/indexer/http";
import { matcherOperations } from "@plimsoll/matcher/http";
import { notifierOperations } from "@plimsoll/notifier/http";
import { type ScannerOperation, scannerErrors, scannerErrorTrailer, scannerMediaTypes } from "@plimsoll/scanner-api";
import { stranger, unboundedParts, valuesWithStrangers } from "@plimsoll/testing";
import fastify from "fastify";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";

const operations = [...indexerOperations, ...matcherOperations, ...notifierOperations];
const withBody = operations.filter(({ body }) => body !== undefined);

/** An operation that only keeps what it gets. */
function probe(operation: ScannerOperation, received: unknown[]): ScannerOperation {
  const { id, method, path, summary, refusals, body, internal } = operation;
  const handle = async (input: { readonly body: unknown }) => void received.push(input.body);
  return { id, method, path, summary, refusals, body, internal, success: 204, handle };
}

/** Serves one operation alone. */
function serve(operation: ScannerOperation) {
  const face = { errors: scannerErrors, errorTrailer: scannerErrorTrailer("test"), maxBodyBytes: 100_000 };
  const forms = { mediaTypes: scannerMediaTypes("test"), contentTypes: "ignored" } as const;
  const app = fastify();
  registerApi(app, documentApi([operation], { ...face, ...forms }));
  return app;
}

describe("an operation of the scanner", () => {
  it.each(operations)("$id is done only for the version that its conditions name", async (operation) => {
    let done = 0;
    const { entityTag, tagOf, method, success, unchanged, id } = operation;
    await using app = serve({
      ...{ id, method, success, unchanged },
      ...{ path: "/it", summary: id, refusals: [] },
      entityTag: entityTag && (async () => "current"),
      tagOf: tagOf && (() => "current"),
      handle: async () => {
        done += 1;
      },
    });
    const hasVersion = entityTag !== undefined || tagOf !== undefined;
    const answerTo = async (headers: Readonly<Record<string, string>>) =>
      (await app.inject({ method, url: "/it", headers })).statusCode;
    const ask = (match: string) => answerTo({ "if-match": match });

    expect(await ask('"stale"')).toBe(412);
    expect(done).toBe(method === "GET" && tagOf !== undefined ? 1 : 0);
    expect(await ask('"current"')).toBe(hasVersion ? success : 412);
    expect(await ask("*")).toBe(success);
    if (method !== "GET") expect(await answerTo({ "if-none-match": "*" })).toBe(412);
  });

  it.each(operations)("$id bounds every value of its query and its body", ({ query, body }) => {
    const found = [...unboundedParts(query), ...unboundedParts(body)].map(({ path }) => path);

    expect(found.filter((path) => path !== "/coverage")).toEqual([]); // core reads it, and keeps the members that it knows
  });

  it.each(withBody)("$id gets only what it declares, at every depth", async (operation) => {
    const received: unknown[] = [];
    await using app = serve(probe(operation, received));
    const accepted = Compile(operation.body ?? {});

    for (const value of valuesWithStrangers(operation.body ?? {})) {
      const { method, path: url } = operation;
      const answer = await app.inject({
        method,
        url,
        headers: { "content-type": "application/json" },
        payload: JSON.stringify(value),
      });

      expect(answer.statusCode, answer.body).toBe(204);
      expect(JSON.stringify(received.at(-1))).not.toContain(stranger);
      expect(accepted.Check(received.at(-1))).toBe(true);
    }
    expect(received).not.toHaveLength(0);
  });
});
