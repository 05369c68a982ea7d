import { Type } from "typebox";
import { anyone } from "../access/on-account.ts";
import { discoveryDocument } from "../http/discovery.ts";
import { offeredOperations } from "../http/register-management-api.ts";
import { type AnyOperation, operation } from "../operation.ts";

const SwaggerDocument = Type.Object({
  swagger: Type.Literal("2.0"),
  basePath: Type.String(),
  paths: Type.Record(Type.String(), Type.Unknown()),
  definitions: Type.Record(Type.String(), Type.Unknown()),
});

/** What operations there are, as far as their features are on. Superusers' operations are for those who ask for all. */
export function discoveryOperations(others: readonly AnyOperation[]): readonly AnyOperation[] {
  const discovery = operation({
    id: "discovery",
    method: "GET",
    path: "/discovery",
    summary: "The operations of this API, for explorers.",
    tag: "discovery",
    access: anyone,
    query: Type.Object({ internal: Type.Optional(Type.Boolean({ description: "Include internal operations" })) }),
    success: 200,
    result: SwaggerDocument,
    async handle({ query }, { settings, request: { origin } }) {
      const offered = offeredOperations([...others, discovery], settings);
      return discoveryDocument(offered, settings, { internal: query.internal ?? false, origin });
    },
  });
  return [discovery];
}
