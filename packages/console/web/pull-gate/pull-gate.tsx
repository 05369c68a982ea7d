import { useChange } from "../api/use-change.ts";
import { useOptional } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import type { RuleOwner } from "../shared/owner.ts";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { gateCalls } from "./gate-calls.ts";
import { GateExceptions } from "./gate-exceptions.tsx";
import { GateKeys } from "./gate-keys.tsx";
import { GatePreview } from "./gate-preview.tsx";
import { GateRulesForm } from "./gate-rules-form.tsx";

const words = texts.pullGate;

/** The pull gate of an owner: its rules, exceptions and keys; for a repository, with a preview. */
export function PullGate({ owner }: { readonly owner: RuleOwner }) {
  const { get, params } = gateCalls(owner);
  const gate = useOptional(get, { params });
  return (
    <Section title={words.title} about={words.about[owner.kind]}>
      <Answered query={gate}>
        {(shown) => (
          <>
            {shown === null && <p className="empty">{words.none}</p>}
            <GateRulesForm owner={owner} gate={shown} />
            {shown !== null && (
              <>
                <Remove owner={owner} />
                <GateExceptions owner={owner} exceptions={shown.exceptions} />
                <GateKeys owner={owner} keys={shown.keys} />
              </>
            )}
          </>
        )}
      </Answered>
      {owner.kind === "repository" && (
        <OnDemand label={words.preview.title}>
          <GatePreview repository={owner.name} />
        </OnDemand>
      )}
    </Section>
  );
}

function Remove({ owner }: { readonly owner: RuleOwner }) {
  const { remove, params, affected } = gateCalls(owner);
  const change = useChange(remove, affected);
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={{ params }} />;
}
