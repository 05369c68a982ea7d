import { ScanError } from "@plimsoll/core";
import type { Upstreams } from "./upstreams.ts";

/** Refuses to open other registries. It is the port of registries that are configured without a client for them. */
export const noUpstreams: Upstreams = { open: refuse, openCatalog: refuse };

async function refuse({ host }: { readonly host: string }): Promise<never> {
  throw new ScanError("not_permitted", `${host}: this registry sends no requests to other registries`);
}
