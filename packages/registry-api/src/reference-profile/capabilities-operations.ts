import { anyone } from "@plimsoll/registry/access/on-account";
import { Type } from "typebox";
import { operation } from "../operation.ts";

const Capabilities = Type.Object({
  sparse_manifests: Type.Object({
    supported: Type.Boolean({ description: "The setting `sparseIndexes`" }),
    required_architectures: Type.Array(Type.String()),
    optional_architectures_allowed: Type.Boolean(),
  }),
  mirror_architectures: Type.Array(Type.String(), { description: "None: a mirror copies the images of all platforms" }),
});

/** What the console of the reference asks before it shows settings of mirrors and of indexes. */
export const capabilitiesOperations = [
  operation({
    id: "getRegistryCapabilities",
    method: "GET",
    path: "/registry/capabilities",
    summary: "What the registry supports.",
    tag: "discovery",
    access: anyone,
    success: 200,
    result: Capabilities,
    async handle(_, { settings: { sparseIndexes } }) {
      const sparse_manifests = {
        supported: sparseIndexes,
        required_architectures: [],
        optional_architectures_allowed: sparseIndexes,
      };
      return { sparse_manifests, mirror_architectures: [] };
    },
  }),
];
