import { createRoot } from 'react-dom/client';
import { App } from '../../../../src/renderer/app/app.tsx';
import { createWorkbench } from '../../../../src/renderer/app/workbench.ts';
import { createMemoryStorage } from '../../../../src/renderer/state/storage.ts';
import { createDemoClient } from './demo-client.ts';
import '../../../../src/renderer/styles/index.css';

const theme = new URLSearchParams(location.search).get('theme');
const systemTheme = theme === 'dark' || theme === 'contrast' ? theme : 'light';
const workbench = createWorkbench({
  client: createDemoClient(),
  storage: createMemoryStorage(),
  systemTheme,
});
const host = document.getElementById('root');
if (host) createRoot(host).render(<App workbench={workbench} />);
