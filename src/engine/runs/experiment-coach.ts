import { resolve } from 'node:path';
import type { CoachConfig, HttpConfig, LlamaConfig, MemoryConfig, ReplayConfig } from '../coach/config.ts';
import { undisciplined } from '../coach/shaping/discipline.ts';
import {
  type CoachBlock,
  coachDefaults,
  httpDefaults,
  llamaDefaults,
  memoryDefaults,
} from './experiment-schema.ts';

const noCoach: CoachConfig = { ...coachDefaults, provider: 'none' };

/** How arms inherit: studies that began before a provider kept what is its own go on as they began. */
export interface Inheritance {
  readonly isAcrossProviders?: boolean;
}

/**
 * The coach of an arm: its own block over the experiment's over the defaults. A `trigger` block replaces the
 * inherited one as a whole (what it does not name is off); `whatif` is merged key by key. What is said to one provider is not
 * said to another.
 */
export function resolveCoach(
  common: 'none' | CoachBlock | undefined,
  own: 'none' | CoachBlock | undefined,
  { isAcrossProviders = false }: Inheritance = {},
): CoachConfig {
  if (own === 'none') return noCoach;
  if (own === undefined && (common === 'none' || common === undefined)) return noCoach;
  const block = common === undefined || common === 'none' ? {} : common;
  const inherited = merge(coachDefaults, block);
  if (own === undefined) return withoutUnused(inherited);
  if (isAcrossProviders) return withoutUnused(merge(inherited, own));
  const isForeign = own.provider !== undefined && own.provider !== inherited.provider;
  // A lag that the file names stands over the one that a provider brings along.
  const named = block.lag === undefined ? own : { lag: block.lag, ...own };
  return withoutUnused(merge(isForeign ? withoutOwn(inherited) : inherited, named));
}

/**
 * Without what is said to a provider, or comes along with it: a model of another one would be asked, a prompt that was written for
 * it used, or an instant answer waited for, unnoticed.
 */
function withoutOwn(config: CoachConfig): CoachConfig {
  const { model, proposing, temperature, prompt, lag } = coachDefaults;
  const { scorer: _, ...others } = config;
  return { ...others, model, proposing, temperature, prompt, lag };
}

/** A coach whose files have full paths: the same whatever folder the model host runs in. */
export function withFullPaths(coach: CoachConfig, root: string): CoachConfig {
  const { model, scorer, llama, provider } = coach;
  const isFile = model !== null && provider !== 'http';
  return {
    ...coach,
    model: isFile ? resolve(root, model) : model,
    ...(scorer !== undefined && { scorer: resolve(root, scorer) }),
    ...(llama !== undefined && {
      llama: {
        ...llama,
        adapters: llama.adapters.map(({ file, scale }) => ({ file: resolve(root, file), scale })),
      },
    }),
  };
}

/**
 * Who draws at random or repeats what was answered remembers nothing, whatever the other arms do: they are controls. How a
 * model is loaded is no part of an arm that has none.
 */
function withoutUnused(config: CoachConfig): CoachConfig {
  const isControl = config.provider === 'random' || config.provider === 'replay';
  const { llama, http, scorer, replay, ...others } = isControl ? { ...config, memory: null } : config;
  const isScored = config.provider === 'learned' && scorer !== undefined;
  return {
    ...others,
    ...(isScored && { scorer }),
    ...((config.provider === 'llama' || isScored) && llama !== undefined && { llama }),
    ...(config.provider === 'http' && http !== undefined && { http }),
    ...(config.provider === 'replay' && replay !== undefined && { replay }),
  };
}

function merge(base: CoachConfig, block: CoachBlock): CoachConfig {
  const provider = block.provider ?? base.provider;
  return {
    provider,
    model: block.model ?? base.model,
    proposing: block.proposing ?? base.proposing,
    temperature: block.temperature ?? base.temperature,
    prompt: block.prompt ?? base.prompt,
    may: block.may ?? base.may,
    trigger:
      block.trigger === undefined
        ? base.trigger
        : {
            interval: block.trigger.interval ?? null,
            plateau: block.trigger.plateau ?? null,
            minDelta: block.trigger.minDelta ?? 0,
            issue: block.trigger.issue ?? false,
          },
    mode: block.mode ?? base.mode,
    // A model thinks while the next round trains; an instant coach answers at once.
    lag: block.lag ?? (bringsModel(block, provider) ? 1 : base.lag),
    coolDown: block.coolDown ?? base.coolDown,
    candidates: block.candidates ?? base.candidates,
    whatif: {
      share: block.whatif?.share ?? base.whatif.share,
      seeds: block.whatif?.seeds ?? base.whatif.seeds,
      retest: block.whatif?.retest ?? base.whatif.retest,
      episodes: block.whatif?.episodes ?? base.whatif.episodes,
    },
    shaping: mergeShaping(base.shaping, block.shaping ?? {}),
    memory: mergeMemory(base.memory, block.memory),
    ...mergeScorer(base.scorer, block.scorer),
    ...mergeLlama(base.llama, block.llama),
    ...mergeHttp(base.http, block.http),
    ...mergeReplay(base.replay, block.replay),
  };
}

/** Whether a block itself says that a model is asked; a scorer is asked for a ranker alone. */
function bringsModel({ provider, scorer }: CoachBlock, resolved: CoachConfig['provider']): boolean {
  return provider === 'llama' || provider === 'http' || (resolved === 'learned' && scorer !== undefined);
}

/** `none` is a value of its own: what a block leaves out is inherited. */
function mergeShaping(
  base: CoachConfig['shaping'],
  { smoothing, freeze, share, term, ceiling }: NonNullable<CoachBlock['shaping']>,
): CoachConfig['shaping'] {
  return {
    smoothing: smoothing === undefined ? base.smoothing : (smoothing ?? undisciplined.smoothing),
    freeze: freeze === undefined ? base.freeze : (freeze ?? undisciplined.freeze),
    share: share === undefined ? base.share : share,
    term: term === undefined ? base.term : term,
    ceiling: ceiling === undefined ? base.ceiling : ceiling,
  };
}

/** A block turns memory on; `none` turns it off. */
function mergeMemory(base: MemoryConfig | null, block: CoachBlock['memory']): MemoryConfig | null {
  if (block === undefined || block === null) return block === null ? null : base;
  const inherited = base ?? memoryDefaults;
  return {
    examples: block.examples ?? inherited.examples,
    reuse: block.reuse === undefined ? inherited.reuse : block.reuse,
    vectors: block.vectors ?? inherited.vectors,
  };
}

/** Without a block there is no such part: studies from before it are what they were. */
function mergeLlama(base: LlamaConfig | undefined, block: CoachBlock['llama']): Pick<CoachConfig, 'llama'> {
  if (block === undefined) return base === undefined ? {} : { llama: base };
  const inherited = base ?? llamaDefaults;
  return {
    llama: {
      context: block.context ?? inherited.context,
      gpu: block.gpu ?? inherited.gpu,
      timeout: block.timeout ?? inherited.timeout,
      adapters: block.adapters?.map(({ file, scale }) => ({ file, scale: scale ?? 1 })) ?? inherited.adapters,
    },
  };
}

function mergeScorer(base: string | undefined, block: string | undefined): Pick<CoachConfig, 'scorer'> {
  const scorer = block ?? base;
  return scorer === undefined ? {} : { scorer };
}

/** A block stands for itself: an arm's name belongs to the study that it is named with. */
function mergeReplay(
  base: ReplayConfig | undefined,
  block: CoachBlock['replay'],
): Pick<CoachConfig, 'replay'> {
  if (block === undefined) return base === undefined ? {} : { replay: base };
  return { replay: { study: block.study, arm: block.arm ?? null } };
}

function mergeHttp(base: HttpConfig | undefined, block: CoachBlock['http']): Pick<CoachConfig, 'http'> {
  if (block === undefined) return base === undefined ? {} : { http: base };
  const inherited = base ?? httpDefaults;
  return {
    http: {
      url: block.url ?? inherited.url,
      // A key is for the address it was named with.
      key: block.key ?? (block.url === undefined ? inherited.key : null),
      timeout: block.timeout ?? inherited.timeout,
      context: block.context ?? inherited.context,
    },
  };
}
