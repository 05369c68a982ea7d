import { Link, useLocation } from "wouter";
import { imagePath, namespacePath, type Place, placeOf, type Reference, repositoryPath } from "../places.ts";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

interface Crumb {
  readonly href: string;
  readonly text: string;
}

/** Links from the namespace down to the current page. */
export function Breadcrumbs() {
  const [path] = useLocation();
  const crumbs = crumbsOf(placeOf(path));
  if (crumbs.length === 0) return undefined;
  return (
    <nav aria-label={texts.shell.breadcrumbs}>
      <ol className="breadcrumbs">
        {crumbs.map(({ href, text }, index) => (
          <li key={href}>
            <Link href={href} aria-current={index === crumbs.length - 1 ? "page" : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function crumbsOf(place: Place): readonly Crumb[] {
  if (!("namespace" in place)) return [];
  const { namespace } = place;
  const crumbs = [{ href: namespacePath(namespace), text: namespace }];
  if (place.kind === "namespace") return crumbs;
  const { repository } = place;
  crumbs.push({ href: repositoryPath(namespace, repository), text: repository });
  if (place.kind === "repository") return crumbs;
  const { reference } = place;
  return [...crumbs, { href: imagePath(namespace, repository, reference), text: nameOf(reference) }];
}

function nameOf(reference: Reference): string {
  return reference.kind === "tag" ? reference.tag : shortDigest(reference.digest);
}
