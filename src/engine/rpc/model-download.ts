/** Pulling models is no call of the contract: the network is used where a person typed the command, and by nobody else. */
export { type PullProgress, type PullRequest, pullModel } from '../coach/model/pull/pull-model.ts';
