import { ScanError } from "@plimsoll/core";
import type { BaseImages } from "@plimsoll/registry/ports/building";

/** Refuses to open repositories. It is the port of builders that are configured without a client for registries: their images begin from `scratch`. */
export const noBaseImages: BaseImages = {
  platform: { os: "linux", architecture: "amd64" },
  open: async ({ host }) => {
    throw new ScanError("not_permitted", `${host}: this registry sends no requests to fetch base images`);
  },
};
