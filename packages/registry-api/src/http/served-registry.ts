import type { Registry } from "../context.ts";
import type { RegistryStore } from "../store/tables/all.ts";

/** The registry behind its APIs. */
export interface ServedRegistry extends Registry {
  readonly store: RegistryStore;
}
