import { type Command, InvalidArgumentError, Option } from 'commander';

export interface JsonOption {
  readonly json?: true;
}

export interface WorkspaceOption extends JsonOption {
  readonly workspace?: string;
}

export const jsonOption = () => new Option('--json', 'one JSON object a line on stdout');

/** `--json` and `--workspace`, which most commands take. */
export function addWorkspaceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--workspace <dir>', 'workspace folder (default: the one around the current folder)'),
    )
    .addOption(jsonOption());
}

/** An option's whole number within bounds. */
export function wholeNumber(
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    const bounds = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number, ${bounds}.`);
  };
}

/** An option's positive number. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above zero.');
}

/** An option's number, of either sign. */
export function realNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number.');
}

/** One more `GROUP=POLICY`: a built-in policy that plays a whole group. */
export function addPlayer(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [group = '', policy = '', ...rest] = text.split('=');
  if (group === '' || policy === '' || rest.length > 0) {
    throw new InvalidArgumentError('It must be GROUP=POLICY, as in good=to_goal.');
  }
  return { ...before, [group]: policy };
}
