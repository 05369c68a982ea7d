import { ScanError } from "@plimsoll/core";
import type { Upstreams } from "../ports/upstreams.ts";

/** Opens no registry: for one that was configured without a client for others. */
export const noUpstreams: Upstreams = { open: refuse, openCatalog: refuse };

async function refuse({ host }: { readonly host: string }): Promise<never> {
  throw new ScanError("not_permitted", `${host}: this registry sends no requests to other registries`);
}
