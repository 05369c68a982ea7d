import { anyone } from "@plimsoll/registry/access/on-account";
import type { CallContext } from "@plimsoll/registry/context";
import { listPages } from "@plimsoll/registry/lists/list-pages";
import { formatPageToken, parsePageToken } from "@plimsoll/registry/lists/page-tokens";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import type { RegistryOperation } from "../operation.ts";
import { registryOperations } from "../operations.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly { readonly const?: string }[];
}

const paged = registryOperations.filter(({ query }) => query !== undefined && "next_page" in query.properties);

/** A value of each parameter but the token, that is not what an absent parameter means. */
function parametersOf({ query }: RegistryOperation): Readonly<Record<string, unknown>> {
  const others = Object.entries(query?.properties ?? {}).filter(([name]) => name !== "next_page");
  return Object.fromEntries(others.map(([name, schema]) => [name, anyValueOf(schema as Schema)]));
}

function anyValueOf({ type, enum: words, anyOf: [first] = [] }: Schema): unknown {
  if (words !== undefined) return words[0];
  if (first?.const !== undefined) return first.const;
  if (type === "boolean") return false;
  return type === "string" ? "given" : 3;
}

/** The operation with another handler, which answers with the query that it got, and the token of a next page. */
function echoing(operation: RegistryOperation): RegistryOperation {
  const { prepare: _, feature: __, freshLogin: ___, ...declared } = operation;
  return {
    ...declared,
    access: anyone as RegistryOperation["access"],
    handle: async ({ query }, context) => {
      const pages = listPages(context as CallContext, "logs", operation.id);
      const { next_page, ...seen } = query as { readonly next_page?: string };
      return { seen, after: parsePageToken(pages, next_page), next: formatPageToken(pages, ["last"]) };
    },
  };
}

function pathOf({ path }: RegistryOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === "repository" ? "acme/app" : "x"));
}

describe("a page token", () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await openTestRegistry({ operations: paged.map(echoing) });
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  const ask = async (operation: RegistryOperation, query: Readonly<Record<string, unknown>>) => {
    const given = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return registry.anonymous("GET", `${pathOf(operation)}?${given}`);
  };

  it.each(paged)(
    "of $id alone goes on with all parameters of the page before, for any number of pages",
    async (each) => {
      const parameters = parametersOf(each);

      const first = await ask(each, parameters);
      const second = await ask(each, { next_page: first.body.next });
      const third = await ask(each, { next_page: second.body.next });

      expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
      expect(first.body.seen).toEqual(parameters);
      expect([second.body, third.body]).toMatchObject(Array(2).fill({ seen: parameters, after: ["last"] }));
    },
  );

  it("gives way to the parameters that the request has itself", async () => {
    const users = paged.find(({ id }) => id === "listAllUsers") as RegistryOperation;
    const first = await ask(users, { limit: 3, disabled: false });

    const second = await ask(users, { limit: 5, next_page: first.body.next });

    expect(second.body.seen).toEqual({ limit: 5, disabled: false });
  });

  it("gives nothing to another operation", async () => {
    const [users, organizations] = ["listAllUsers", "listAllOrganizations"].map((id) =>
      paged.find((each) => each.id === id),
    ) as [RegistryOperation, RegistryOperation];
    const { body } = await ask(users, { limit: 3 });

    const answer = await ask(organizations, { next_page: body.next });

    expect(answer.status).toBe(400);
  });
});
