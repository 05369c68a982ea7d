import { texts } from "../texts/texts.ts";
import { Command } from "./copy-button.tsx";

const words = texts.credentials;

interface Props {
  readonly username: string;
  readonly secret: string;
}

/** A user name and a secret for programs, with the commands that use them. */
export function Credentials({ username, secret }: Props) {
  const { host } = window.location;
  const login = `--username '${username}' --password-stdin ${host}`;
  return (
    <div className="notice" role="status">
      <p>{words.about(username)}</p>
      <Command line={secret} />
      <p>{words.docker}</p>
      <Command line={`printf %s '${secret}' | docker login ${login}`} />
      <p>{words.podman}</p>
      <Command line={`printf %s '${secret}' | podman login ${login}`} />
      <p>{words.kubernetes}</p>
      <Command
        line={`kubectl create secret docker-registry plimsoll --docker-server=${host} --docker-username='${username}' --docker-password='${secret}'`}
      />
    </div>
  );
}
