import './app/zod-without-eval.ts'
import { render } from 'preact'
import { App } from './app/app.tsx'
import { begin } from './store/session.ts'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
begin()
