import { useChange } from "../api/use-change.ts";
import { EditForm } from "../shared/edit-form.tsx";
import { texts } from "../texts/texts.ts";
import { MirrorFields, type ShownMirror, typedMirror } from "./mirror-fields.tsx";

const words = texts.mirrors;

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly mirror: ShownMirror;
}

/** Changes the settings of a mirror. */
export function MirrorSettings({ namespace, repository, mirror }: Props) {
  const change = useChange("PUT /repository/{repository}/mirror", ["GET /repository/{repository}/mirror"]);
  return (
    <details>
      <summary>{words.settings}</summary>
      <EditForm
        layout="fields"
        label={words.save}
        change={change}
        given={(typed) => ({ params: { repository }, body: typedMirror(typed) })}
        value={mirror}
        fields={(shown) => <MirrorFields namespace={namespace} mirror={shown} />}
      />
    </details>
  );
}
