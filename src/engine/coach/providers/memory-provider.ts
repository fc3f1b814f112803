import type { Provider, ProviderAnswer } from './provider.ts';

/** Gives a remembered change as its only answer: nobody is asked. Where it is refused, there is no second one. */
export function createMemoryProvider(answer: ProviderAnswer): Provider {
  return {
    name: 'memory',
    model: null,
    prompt: null,
    maxAnswers: 1,
    canRepair: false,
    propose: async () => answer,
  };
}
