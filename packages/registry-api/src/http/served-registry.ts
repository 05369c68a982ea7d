import type { Deps } from "@plimsoll/registry/deps";

/** A registry as its APIs use it. */
export interface ServedRegistry extends Deps {
  /** See {@link BesideRegistry}. */
  readonly accountPage?: string;
}

/** Pages of other applications on the same host. */
export interface BesideRegistry {
  /**
   * The path of a page where users create accounts (`?view=new`) and recover passwords (`?view=recovery`), such as that of the console.
   * Where absent, the sign-in page has no links to it.
   */
  readonly accountPage?: string;
}
