import { anyone } from "@plimsoll/registry/access/on-account";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { Type } from "typebox";
import { operation, type RegistryOperation } from "../operation.ts";
import { discoveryDocuments } from "./discovery.ts";
import { offeredOperations } from "./management-api.ts";

const SwaggerDocument = Type.Object({
  swagger: Type.Literal("2.0"),
  basePath: Type.String(),
  paths: Type.Record(Type.String(), Type.Unknown()),
  definitions: Type.Record(Type.String(), Type.Unknown()),
});

/** The operation that describes the operations whose features are on. Those of superusers are listed only on request. */
export function discoveryOperations(others: readonly RegistryOperation[]): readonly RegistryOperation[] {
  const discovery: RegistryOperation = operation({
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
      const documents = query.internal === true ? internal : shown;
      return documents(settings)(origin);
    },
  });
  const documents = (kind: { readonly internal: boolean }) =>
    oncePerRegistry((settings) =>
      discoveryDocuments(offeredOperations([...others, discovery], settings), settings, kind),
    );
  const [shown, internal] = [documents({ internal: false }), documents({ internal: true })];
  return [discovery];
}

/** Computes a value once for each registry of the process. */
function oncePerRegistry<Value>(make: (settings: RegistrySettings) => Value): (settings: RegistrySettings) => Value {
  const known = new WeakMap<RegistrySettings, Value & object>();
  return (settings) => {
    const value = known.get(settings) ?? make(settings);
    known.set(settings, value as Value & object);
    return value;
  };
}
