import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Command } from "../shared/copy-button.tsx";
import { Failure } from "../shared/failure.tsx";
import { CheckField, TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.proxyCaches;

/** The registry that an organization caches, or a form that makes it a proxy cache. */
export function ProxyCache({ organization }: { readonly organization: string }) {
  const cache = useOperation("GET /organization/{orgname}/proxycache", { params: { orgname: organization } });
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={cache}>
        {(shown) =>
          shown.upstream_registry === "" ? (
            <NewProxyCache organization={organization} />
          ) : (
            <Configured organization={organization} cache={shown} />
          )
        }
      </Answered>
    </Section>
  );
}

interface ConfiguredProps {
  readonly organization: string;
  readonly cache: ResultOf<"GET /organization/{orgname}/proxycache">;
}

function Configured({ organization, cache: { upstream_registry: upstream, expiration_s: seconds } }: ConfiguredProps) {
  const change = useChange("DELETE /organization/{orgname}/proxycache", ["GET /organization/{orgname}/proxycache"]);
  return (
    <>
      <p>{words.isCache(upstream)}</p>
      <p>{seconds === null || seconds === "" ? words.keptAlways : words.kept(seconds / 3600)}</p>
      <p>{words.pull}</p>
      <Command line={`docker pull ${window.location.host}/${organization}/NAME:TAG`} />
      <ConfirmedButton
        label={words.remove}
        consequence={words.removed}
        change={change}
        given={{ params: { orgname: organization } }}
      />
    </>
  );
}

/** Makes an organization a proxy cache. A button checks first whether the other registry answers. */
function NewProxyCache({ organization }: { readonly organization: string }) {
  const change = useChange("POST /organization/{orgname}/proxycache", ["GET /organization/{orgname}/proxycache"]);
  const check = useChange("POST /organization/{orgname}/validateproxycache", []);
  const params = { orgname: organization };
  return (
    <>
      <ChangeForm
        layout="fields"
        label={words.create}
        change={change}
        given={(typed) => ({ params, body: typedCache(typed) })}
        other={{ label: words.check, act: (typed) => check.mutate({ params, body: typedCache(typed) }) }}
      >
        <TextField name="upstream" label={words.upstream} rule={words.upstreamRule} required maxLength={512} />
        <TextField name="username" label={words.username} autoComplete="off" />
        <TextField name="password" label={words.password} type="password" autoComplete="off" />
        <TextField name="hours" label={words.expiration} type="number" min={0} defaultValue={24} required />
        <CheckField name="insecure" label={words.insecure} />
      </ChangeForm>
      {check.isError && <Failure error={check.error} />}
      {check.data !== undefined && <p role="status">{words.valid[check.data]}</p>}
    </>
  );
}

function typedCache(typed: Typed) {
  return {
    upstream_registry: typed("upstream").trim(),
    upstream_registry_username: typed("username") || null,
    upstream_registry_password: typed("password") || null,
    expiration_s: Number(typed("hours")) * 3600,
    insecure: typed("insecure") === "on",
  };
}
