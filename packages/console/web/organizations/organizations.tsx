import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { namespacePath } from "../places.ts";
import { texts } from "../texts/texts.ts";
import { NewOrganization } from "./new-organization.tsx";

const words = texts.organizations;

/** The visitor's organizations, and a form that creates one. */
export function Organizations() {
  const organizations = useCurrentUser().data?.organizations ?? [];
  return (
    <section aria-labelledby="organizations">
      <h2 id="organizations">{words.title}</h2>
      <p>{words.about}</p>
      <NewOrganization />
      {organizations.length === 0 ? (
        <p className="empty">{words.none}</p>
      ) : (
        <ul className="results">
          {organizations.map(({ name }) => (
            <li key={name}>
              <Link href={namespacePath(name)}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
