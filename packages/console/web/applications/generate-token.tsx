import { useState } from "react";
import { useCurrentUser } from "../api/current-user.ts";
import { useChange } from "../api/use-change.ts";
import { Command } from "../shared/command.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { ReviewToken } from "./review-token.tsx";
import type { TokenRequest } from "./scopes.ts";
import type { ShownApplication } from "./shown-application.ts";
import { TokenForm } from "./token-form.tsx";

const words = texts.applications.generate;

interface Props {
  readonly organization: string;
  readonly application: ShownApplication;
}

/** Generates a token: the visitor selects scopes, reviews them and authorizes; then the token is shown once. */
export function GenerateToken({ organization, application }: Props) {
  const [request, setRequest] = useState<TokenRequest>({ name: "", scopes: [] });
  const [isReviewed, setReviewed] = useState(false);
  const change = useChange("POST /organization/{orgname}/applications/{client_id}/tokens", [
    "GET /organization/{orgname}/applications/{client_id}/tokens",
  ]);
  const user = useCurrentUser().data;
  const params = { orgname: organization, client_id: application.client_id };
  const review = (token: TokenRequest) => {
    change.reset();
    setRequest(token);
    setReviewed(true);
  };
  const authorize = () => {
    const body = { name: request.name, scope: request.scopes.join(" ") };
    const onSuccess = () => {
      setRequest({ name: "", scopes: [] });
      setReviewed(false);
    };
    change.mutate({ params, body }, { onSuccess });
  };
  return (
    <Section title={words.title} about={words.about}>
      {isReviewed ? (
        <ReviewToken
          request={request}
          application={application.name}
          user={user?.username ?? ""}
          change={change}
          onAuthorize={authorize}
          onBack={() => setReviewed(false)}
        />
      ) : (
        <TokenForm request={request} maySuperuse={user?.super_user === true} onReview={review} />
      )}
      {change.data !== undefined && <MadeToken token={change.data.token} />}
    </Section>
  );
}

function MadeToken({ token }: { readonly token: string }) {
  return (
    <div className="notice" role="status">
      <p>{words.shown}</p>
      <Command line={token} />
      <p>{words.use}</p>
      <Command line={`curl --header 'Authorization: Bearer ${token}' ${window.location.origin}/api/v1/user/`} />
    </div>
  );
}
