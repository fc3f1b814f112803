import type { Mission } from '../generated/ast.ts';
import type { DeclarationKind } from './kind.ts';

/** `mission "…"`: what the agents are trained for, in a person's words; read by the coach, not by the simulator. */
export const missionKind: DeclarationKind<Mission> = {
  keyword: 'mission',
  nameOf: () => '',
  docOf: (node) => node.text,
  explain: (_, node) => [`Mission: ${node.text}`],
};
