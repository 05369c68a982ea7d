import { Type } from "typebox";
import { type Scope, scopes } from "../../access/scopes.ts";

/** What a scope means, for whoever is to grant it. */
export const ScopeView = Type.Object({
  scope: Type.String(),
  title: Type.String(),
  description: Type.String(),
  icon: Type.String(),
  dangerous: Type.Boolean(),
});

/** Shows a scope. */
export function scopeView(scope: Scope) {
  return { scope, ...scopes[scope] };
}
