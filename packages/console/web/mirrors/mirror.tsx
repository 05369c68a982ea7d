import { useChange } from "../api/use-change.ts";
import { useOptional } from "../api/use-operation.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { MirrorFields, typedMirror } from "./mirror-fields.tsx";
import { MirrorSettings } from "./mirror-settings.tsx";
import { MirrorState } from "./mirror-state.tsx";

const words = texts.mirrors;

/** How often the state is fetched again, in milliseconds: during a synchronization, and otherwise. */
const [busyMs, idleMs] = [2000, 15_000] as const;

/** The mirror of a repository: its current state and its settings, or a form that makes the repository a mirror. */
export function Mirror({ repository }: { readonly repository: ShownRepository }) {
  const { namespace } = repository;
  const params = { repository: `${namespace}/${repository.name}` };
  const mirror = useOptional(
    "GET /repository/{repository}/mirror",
    { params },
    { refetchInterval: ({ state }) => (isBusy(state.data?.sync_status) ? busyMs : idleMs) },
  );
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={mirror}>
        {(shown) =>
          shown === null ? (
            <NewMirror namespace={namespace} repository={params.repository} />
          ) : (
            <>
              <MirrorState repository={params.repository} mirror={shown} />
              <MirrorSettings namespace={namespace} repository={params.repository} mirror={shown} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function isBusy(status: string | undefined): boolean {
  return status === "SYNC_NOW" || status === "SYNCING";
}

function NewMirror({ namespace, repository }: { readonly namespace: string; readonly repository: string }) {
  const change = useChange("POST /repository/{repository}/mirror", [
    "GET /repository/{repository}/mirror",
    "GET /repository/{repository}",
  ]);
  return (
    <ChangeForm
      layout="fields"
      label={words.create}
      change={change}
      given={(typed) => ({ params: { repository }, body: typedMirror(typed) })}
    >
      <MirrorFields namespace={namespace} />
    </ChangeForm>
  );
}
