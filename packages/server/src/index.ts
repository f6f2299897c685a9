export { type App, type AppDeps, buildApp, type Rooms } from './app.ts'
export { type Config, loadConfig } from './config.ts'
export { makeLogger } from './logger.ts'
export { type RunningServer, runServer, StartError, startServer } from './start.ts'
