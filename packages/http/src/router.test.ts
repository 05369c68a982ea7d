import { describe, expect, it } from "vitest";
import type { Operation } from "./operation.ts";
import { createRouter, type RouterOptions } from "./router.ts";

/** Operations by their request. */
const operations = [
  "GET /",
  "GET /about",
  "GET /{any}",
  "GET /thing/{name}",
  "PUT /thing/{name}",
  "GET /thing/{name}/part/{id}",
  "PUT /thing/{name}/part/{id}",
  "DELETE /thing/{name}/part/{id}",
  "GET /thing/{name}/part/first",
  "GET /thing/{name}/parts/",
  "GET /shelf/{id}/thing",
].map((id) => {
  const [method = "", path = ""] = id.split(" ");
  return { id, method, path } as Pick<Operation, "id" | "method" | "path"> as Operation;
});

const strict: RouterOptions = {
  spanning: "name",
  isSpanned: (text) => text.includes("/"),
  isSegment: (segment) => segment !== "..",
  ignoresTrailingSlash: false,
};
const lenient = { ...strict, ignoresTrailingSlash: true };
const single = { ...strict, isSpanned: undefined };

/** What a path is, after its request. Other readings follow after `or`. */
const rows: [request: string, found: string, options?: RouterOptions][] = [
  ["GET /", "GET /"],
  ["GET ", "GET /"],
  ["GET /about", "GET /about"],
  ["GET /about/", "unknown"],
  ["GET /about/", "GET /about", lenient],
  ["GET /about//", "GET /about", lenient],
  ["GET /other", "GET /{any} any=other"],
  ["GET /thing", "GET /{any} any=thing"],
  ["GET /x%20y", "GET /{any} any=x y"],
  ["GET /%zz", "unknown"],
  ["GET /..", "unknown"],
  ["GET /%2e%2e", "unknown"],
  ["POST /about", "not GET /about"],
  ["GET /thing/a", "GET /thing/{name} name=a"],
  ["DELETE /thing/a", "not GET /thing/{name}, PUT /thing/{name}"],
  ["GET /thing/a/b/c", "GET /thing/{name} name=a/b/c"],
  ["GET /thing/a%2Fb", "GET /thing/{name} name=a/b"],
  ["GET /thing/a/part/1", "GET /thing/{name}/part/{id} name=a id=1 or GET /thing/{name} name=a/part/1"],
  ["GET /thing/a/part/1", "GET /thing/{name}/part/{id} name=a id=1", single],
  ["GET /thing/a/part/first", "GET /thing/{name}/part/first name=a or GET /thing/{name} name=a/part/first"],
  ["DELETE /thing/a/part/1", "DELETE /thing/{name}/part/{id} name=a id=1"],
  ["GET /thing/a/b/part/first", "GET /thing/{name}/part/first name=a/b or GET /thing/{name} name=a/b/part/first"],
  ["PUT /thing/a/part/first", "not GET /thing/{name}/part/first"],
  ["GET /thing/a/b/part/1", "GET /thing/{name}/part/{id} name=a/b id=1 or GET /thing/{name} name=a/b/part/1"],
  ["GET /thing/a%2Fb/part/1", "GET /thing/{name}/part/{id} name=a/b id=1"],
  ["GET /thing/a%2Fpart/1", "unknown"],
  ["GET /thing/a/parts", "GET /thing/{name}/parts/ name=a or GET /thing/{name} name=a/parts"],
  ["GET /thing/a/parts/", "GET /thing/{name}/parts/ name=a"],
  ["GET /thing/a/parts//", "unknown"],
  ["GET /shelf/a/thing", "GET /shelf/{id}/thing id=a"],
  ["GET /shelf/a/other", "unknown"],
  ["GET /shelf/a/b/thing", "unknown"],
];

describe("createRouter", () => {
  it.each(rows)("routes %j to %s", (request, found, options = strict) => {
    const [method = "", path = ""] = request.split(" ");

    const route = createRouter(operations, options)(method, path);

    expect(describeRoute(route)).toBe(found);
  });
});

function describeRoute(route: ReturnType<ReturnType<typeof createRouter<Operation>>>): string {
  if (route.kind === "unknown") return "unknown";
  if (route.kind === "wrong-method") return `not ${route.others.map(({ id }) => id).join(", ")}`;
  return [route, ...route.others]
    .map(({ operation, params }) =>
      [operation.id, ...Object.entries(params as object).map((each) => each.join("="))].join(" "),
    )
    .join(" or ");
}
