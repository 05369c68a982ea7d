import type { Registry } from "../context.ts";
import type { RegistryStore } from "../store/tables/all.ts";

/** The registry behind its APIs. */
export interface ServedRegistry extends Registry {
  readonly store: RegistryStore;
  /** See {@link BesideRegistry}. */
  readonly accountPage?: string;
}

/** What is served beside the registry, on the same host. */
export interface BesideRegistry {
  /**
   * The path of the page where visitors create accounts (`?view=new`) and have their passwords recovered (`?view=recovery`), as that
   * of the console. Where absent, the page where people sign in leads to none.
   */
  readonly accountPage?: string;
}
