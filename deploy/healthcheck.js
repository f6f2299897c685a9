// Asks the server of this container how it is: exit code 0 or 1. `healthcheck.js /readyz` asks whether it is ready to serve.
const [path = '/healthz'] = process.argv.slice(2)
const port = process.env.JUNQI_PORT ?? '8080'
try {
  const signal = AbortSignal.timeout(2000)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal })
  process.exitCode = response.ok ? 0 : 1
} catch {
  process.exitCode = 1
}
