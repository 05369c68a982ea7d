import { changeRepoMirrorConfig, getRepoMirrorConfig } from "../api/generated/mirror.ts";
import { useChange } from "../api/use-change.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { texts } from "../texts/texts.ts";
import { MirrorFields, type ShownMirror, typedMirror } from "./mirror-fields.tsx";

const words = texts.mirrors;

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly mirror: ShownMirror;
}

/** Changes how a mirror is kept in step. */
export function MirrorSettings({ namespace, repository, mirror }: Props) {
  const change = useChange(changeRepoMirrorConfig, [getRepoMirrorConfig]);
  return (
    <details>
      <summary>{words.settings}</summary>
      <ChangeForm
        layout="fields"
        label={words.save}
        change={change}
        given={(typed) => ({ params: { repository }, body: typedMirror(typed) })}
      >
        <MirrorFields namespace={namespace} mirror={mirror} />
      </ChangeForm>
    </details>
  );
}
