import type { Html } from "./html.ts";
import type { PageUser } from "./page-session.ts";

/** An HTML page. It works without scripts. */
export interface Page {
  readonly title: string;
  /** The heading of the page, where it differs from the title. */
  readonly heading?: string;
  readonly body: Html;
  /** The signed-in user, who can sign out on the page. */
  readonly user?: PageUser | undefined;
  /** The one script it has. */
  readonly script?: string;
  /** The address, besides the registry itself, that its forms are redirected to. */
  readonly formTarget?: string | undefined;
}
