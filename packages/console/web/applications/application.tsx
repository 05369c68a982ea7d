import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/command.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { ApplicationFields, typedApplication } from "./application-fields.tsx";
import { ApplicationTokens } from "./application-tokens.tsx";
import type { ShownApplication } from "./shown-application.ts";

const words = texts.applications;
const affected = [
  "GET /organization/{orgname}/applications/{client_id}",
  "GET /organization/{orgname}/applications",
] as const;

interface Props {
  readonly organization: string;
  readonly clientId: string;
}

/** An application: its tokens and its details. */
export function Application({ organization, clientId }: Props) {
  const params = { orgname: organization, client_id: clientId };
  return (
    <Answered query={useOperation("GET /organization/{orgname}/applications/{client_id}", { params })}>
      {(application) => (
        <>
          <ApplicationTokens organization={organization} application={application} />
          <Details organization={organization} application={application} />
        </>
      )}
    </Answered>
  );
}

interface DetailsProps {
  readonly organization: string;
  readonly application: ShownApplication;
}

function Details({ organization, application }: DetailsProps) {
  const { name, client_id: id, client_secret: secret } = application;
  const params = { orgname: organization, client_id: id };
  const change = useChange("PUT /organization/{orgname}/applications/{client_id}", affected);
  const reset = useChange("POST /organization/{orgname}/applications/{client_id}/resetclientsecret", affected);
  return (
    <Section title={words.details(name)}>
      <EditForm
        label={words.save}
        change={change}
        given={(typed) => ({ params, body: typedApplication(typed) })}
        value={application}
        fields={(shown) => <ApplicationFields application={shown} />}
      />
      {change.isSuccess && <p role="status">{words.saved}</p>}
      <dl className="facts">
        <dt>{words.client}</dt>
        <dd>
          <Command line={id} />
        </dd>
        {secret !== null && (
          <>
            <dt>{words.secret}</dt>
            <dd>
              <details>
                <summary>{words.showSecret}</summary>
                <Command line={secret} />
              </details>
              <ConfirmedButton
                label={words.resetSecret}
                consequence={words.secretReset(name)}
                change={reset}
                given={{ params }}
              />
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}
