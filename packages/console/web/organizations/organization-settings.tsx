import { useLocation } from "wouter";
import { currentUserKey } from "../api/current-user.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.organizationSettings;

/** Changes the e-mail address of an organization; deletes the organization. */
export function OrganizationSettings({ organization }: { readonly organization: string }) {
  const params = { orgname: organization };
  const [, navigate] = useLocation();
  const found = useOperation("GET /organization/{orgname}", { params });
  const change = useChange("PUT /organization/{orgname}", ["GET /organization/{orgname}"]);
  const removal = useChange("DELETE /organization/{orgname}", [currentUserKey, "GET /repository"]);
  return (
    <>
      <Section title={words.email} about={words.emailAbout}>
        <Answered query={found}>
          {(shown) => (
            <EditForm
              label={words.save}
              change={change}
              given={(typed) => ({ params, body: { email: typed("email") || null } })}
              value={shown}
              fields={({ email }) => <TextField name="email" label={words.email} type="email" defaultValue={email} />}
            />
          )}
        </Answered>
      </Section>
      <Section title={words.end} about={words.endAbout}>
        <ConfirmedButton
          label={words.remove}
          consequence={words.endAbout}
          typed={organization}
          change={removal}
          given={{ params }}
          onDone={() => navigate("/account")}
        />
      </Section>
    </>
  );
}
