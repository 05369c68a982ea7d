import { RegistryError } from "../errors.ts";
import type { Account } from "./principal.ts";

/**
 * Refuses what restricted users may not do: make organizations, and robots of their own.
 * @throws RegistryError `insufficient_scope`
 */
export function checkNotRestricted({ outside_role }: Pick<Account, "outside_role">): void {
  if (outside_role !== "restricted") return;
  throw new RegistryError("insufficient_scope", "Your account is restricted: it cannot create organizations or robots");
}
