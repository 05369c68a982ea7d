import { useChange } from "../api/use-change.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { texts } from "../texts/texts.ts";
import { ApplicationFields, typedApplication } from "./application-fields.tsx";

interface Props {
  readonly organization: string;
  /** Called with the client id. */
  readonly onDone: (clientId: string) => void;
}

/** Creates an application. */
export function NewApplication({ organization, onDone }: Props) {
  const change = useChange("POST /organization/{orgname}/applications", ["GET /organization/{orgname}/applications"]);
  const params = { orgname: organization };
  return (
    <ChangeForm
      label={texts.applications.create}
      change={change}
      given={(typed) => ({ params, body: typedApplication(typed) })}
      onDone={({ client_id: id }) => onDone(id)}
    >
      <ApplicationFields />
    </ChangeForm>
  );
}
