import { ScanError } from "@plimsoll/core";
import type { Upstreams } from "../ports.ts";

/** Opens no repository: for a registry that was configured without a client for other registries. */
export const noUpstreams: Upstreams = {
  async open({ host }) {
    throw new ScanError("not_permitted", `${host}: this registry asks no other registries`);
  },
};
