import { ScanError } from "@plimsoll/core";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { RegistryError } from "../../errors.ts";
import { upstreamAddress } from "../mirrors/upstream-address.ts";
import { getOrganizationMirror } from "./organization-mirrors.ts";

/** Whether the catalog of another registry could be read. */
export interface Probe {
  readonly success: boolean;
  readonly message: string;
}

/** How long the other registry may take. */
const patienceMs = 10_000;

/** Reads the catalog of the registry that an organization mirrors, and stores nothing. @throws RegistryError `not_found` */
export async function probeRegistry(context: CallContext, organization: AccountRow): Promise<Probe> {
  const { outgoing, upstreams, secrets, request } = context;
  const mirror = await getOrganizationMirror(context, organization);
  const { path: _, ...address } = upstreamAddress(secrets, { ...mirror, external_reference: mirror.external_registry });
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patienceMs)]);
  try {
    await outgoing.check(address.hostname);
    await using catalog = await upstreams.openCatalog(address);
    const names = await catalog.listRepositories(signal);
    return { success: true, message: `Connection successful: the catalog has ${names.length} repositories` };
  } catch (error) {
    const isToldOff = error instanceof ScanError || error instanceof RegistryError || signal.aborted;
    if (!isToldOff) throw error;
    return { success: false, message: `Connection failed: ${(error as Error).message}` };
  }
}
