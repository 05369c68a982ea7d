import type { Html } from "./html.ts";
import type { PageUser } from "./page-session.ts";

/** A page for people. It works without scripts. */
export interface Page {
  readonly title: string;
  /** What stands above the page, where it is not the title. */
  readonly heading?: string;
  readonly body: Html;
  /** Who sees it, and can sign out there. */
  readonly user?: PageUser | undefined;
  /** The one script it has. */
  readonly script?: string;
  /** Where its forms lead besides the registry itself: an address they are redirected to. */
  readonly formTarget?: string | undefined;
}
