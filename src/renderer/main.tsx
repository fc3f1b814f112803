import './no-eval.ts';
import { createRoot } from 'react-dom/client';
import { createClient } from '../shared/contract/index.ts';
import { AppError } from '../shared/std/app-error.ts';
import { App } from './app/app.tsx';
import { StartFailure } from './app/start-failure.tsx';
import { browserStorage, systemTheme } from './app/surroundings.ts';
import { createWorkbench } from './app/workbench.ts';
import { connect } from './transport/connect.ts';
import './styles/index.css';

async function start(): Promise<void> {
  const host = document.getElementById('root');
  if (!host) throw new TypeError('the page has no #root');
  const root = createRoot(host);
  document.documentElement.dataset.theme = systemTheme();
  try {
    const transport = await connect();
    const workbench = createWorkbench({
      client: createClient(transport),
      storage: browserStorage(),
      systemTheme: systemTheme(),
    });
    transport.onClose((reason) => workbench.status.markLost(reason.message));
    root.render(<App workbench={workbench} />);
  } catch (thrown) {
    root.render(<StartFailure error={AppError.from(thrown)} />);
  }
}

void start();
