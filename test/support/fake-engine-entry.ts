import { openEngine } from '../../src/engine/rpc/index.ts';
import { serveParent } from '../../src/main/serve-parent.ts';
import { fakeServices } from './fake-services.ts';

/** An engine process over the fake services, for tests of processes. The path "crash.gguf" throws where nobody catches. */
const [root = ''] = process.argv.slice(2);
serveParent(() =>
  openEngine({
    root,
    compose: (_files, store) => {
      const services = fakeServices(store);
      const inspect: typeof services.models.inspect = (args) => {
        if (args.path === 'crash.gguf')
          setImmediate(() => Promise.reject(new RangeError('nobody caught this')));
        if (args.path === 'hang.gguf' || args.path === 'crash.gguf') return new Promise(() => undefined);
        return services.models.inspect(args);
      };
      return { ...services, models: { ...services.models, inspect } };
    },
  }),
);
