import { RegistryError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/**
 * Refuses sessions whose password was given too long ago. A user without a password cannot give it again.
 * @throws RegistryError `fresh_login_required`
 */
export function checkFreshLogin(principal: Principal, now: number, freshLoginSeconds: number): void {
  if (principal.kind !== "user" || principal.via.kind !== "session") return;
  if (principal.account.password_hash === null || now - principal.via.freshAt <= freshLoginSeconds * 1000) return;
  throw new RegistryError("fresh_login_required", "Requires fresh login");
}
