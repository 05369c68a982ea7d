import { CodeIcon, GearIcon, HomeIcon, OrganizationIcon, PersonIcon } from "@primer/octicons-react";
import { Link, useLocation } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { isWithin, namespacePath } from "../places.ts";
import { texts } from "../texts/texts.ts";

/** The largest number of entries in the rail. */
const maxEntries = 7;

/** The navigation: home page, the user's namespace and organizations, API, and for superusers the administration. */
export function Rail() {
  const [path] = useLocation();
  const user = useCurrentUser().data;
  const own = user
    ? [
        { name: user.username, Icon: PersonIcon },
        ...(user.organizations ?? []).map(({ name }) => ({ name, Icon: OrganizationIcon })),
      ]
    : [];
  const entries = [
    { href: "/", text: texts.shell.home, Icon: HomeIcon },
    ...own.slice(0, maxEntries - 3).map(({ name, Icon }) => ({ href: namespacePath(name), text: name, Icon })),
    { href: "/explorer", text: texts.shell.explorer, Icon: CodeIcon },
    ...(user?.super_user || user?.global_readonly_super_user
      ? [{ href: "/admin", text: texts.admin.title, Icon: GearIcon }]
      : []),
  ];
  return (
    <nav className="rail" aria-label={texts.shell.places}>
      {entries.map(({ href, text, Icon }) => (
        <Link key={href} href={href} title={text} aria-current={isWithin(path, href) ? "page" : undefined}>
          <Icon /> <span>{text}</span>
        </Link>
      ))}
    </nav>
  );
}
