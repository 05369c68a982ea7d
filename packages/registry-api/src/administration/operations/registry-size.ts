import { superusers } from "@plimsoll/registry/access/on-account";
import { queueRegistrySize, readRegistrySize } from "@plimsoll/registry/administration/jobs";
import { Type } from "typebox";
import { operation } from "../../operation.ts";

const registrySizeResource = { tag: "superuser", access: superusers, feature: "quotas", freshLogin: true } as const;

const RegistrySize = Type.Object({
  size_bytes: Type.Integer(),
  last_ran: Type.Union([Type.Integer({ description: "Epoch milliseconds" }), Type.Null()]),
  queued: Type.Boolean(),
  running: Type.Boolean(),
});

const getRegistrySize = operation({
  ...registrySizeResource,
  id: "getRegistrySize",
  method: "GET",
  path: "/superuser/registrysize/",
  summary: "How many bytes are stored, as last counted.",
  success: 200,
  result: RegistrySize,
  handle: (_, { db }) => readRegistrySize(db),
});

const postRegistrySize = operation({
  ...registrySizeResource,
  id: "postRegistrySize",
  audit: ["registry_size_queued"],
  method: "POST",
  path: "/superuser/registrysize/",
  summary: "Have the stored bytes counted.",
  body: Type.Object({
    last_ran: Type.Optional(Type.Integer({ maximum: Number.MAX_SAFE_INTEGER })),
    queued: Type.Optional(Type.Boolean()),
    running: Type.Optional(Type.Boolean()),
  }),
  success: 201,
  result: RegistrySize,
  async handle(_, context) {
    await queueRegistrySize(context);
    return readRegistrySize(context.db);
  },
});

/** Operations on the size of the registry. */
export const registrySizeOperations = [getRegistrySize, postRegistrySize];
