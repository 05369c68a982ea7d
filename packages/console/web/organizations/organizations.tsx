import { Link } from "wouter";
import { currentUserKey, useCurrentUser } from "../api/current-user.ts";
import { useChange } from "../api/use-change.ts";
import { namespacePath } from "../places.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

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

/** Creates an organization, which the visitor then administers. */
function NewOrganization() {
  const change = useChange("POST /organization/", [currentUserKey]);
  const given = (typed: Typed) => {
    const email = typed("email");
    return { body: { name: typed("name"), email: email || undefined } };
  };
  return (
    <ChangeForm label={words.create} change={change} given={given}>
      <TextField name="name" label={words.name} required maxLength={255} />
      <TextField name="email" type="email" label={words.email} />
    </ChangeForm>
  );
}
