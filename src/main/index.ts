import path from 'node:path';
import { app } from 'electron';
import { DesktopApp } from './desktop/desktop-app.ts';
import { registerPageScheme } from './desktop/page-protocol.ts';

/** Entry of the Electron application. One instance; a second start hands its arguments over and ends. */
function main(): void {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  registerPageScheme();
  const root = app.getAppPath();
  const args = process.argv.slice(1);
  let desktop: DesktopApp | null = null;
  let isClosed = false;

  app.on(
    'second-instance',
    (_event, otherArgs, workingFolder) => void desktop?.receive(otherArgs, workingFolder),
  );
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    if (isClosed || desktop === null) return;
    event.preventDefault();
    void desktop.close().finally(() => {
      isClosed = true;
      app.quit();
    });
  });
  void app.whenReady().then(() => {
    desktop = new DesktopApp({ out: path.join(root, 'out'), resources: path.join(root, 'resources') });
    return desktop.start(args);
  });
}

main();
