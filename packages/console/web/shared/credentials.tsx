import { texts } from "../texts/texts.ts";
import { Command } from "./copy-button.tsx";

const words = texts.credentials;

/** What the commands are called where their lines, which have the secret, are not read aloud. */
const names = { docker: "docker login", podman: "podman login", kubectl: "kubectl create secret" } as const;

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
      <Command line={secret} label={words.secret} />
      <p>{words.docker}</p>
      <Command line={`printf %s '${secret}' | docker login ${login}`} label={names.docker} />
      <p>{words.podman}</p>
      <Command line={`printf %s '${secret}' | podman login ${login}`} label={names.podman} />
      <p>{words.kubernetes}</p>
      <Command
        line={`kubectl create secret docker-registry plimsoll --docker-server=${host} --docker-username='${username}' --docker-password='${secret}'`}
        label={names.kubectl}
      />
    </div>
  );
}
