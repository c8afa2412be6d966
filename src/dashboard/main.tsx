import { render } from 'preact'
import { App } from './app.tsx'
import { followLinks } from './navigation.ts'
import './style/main.css'

followLinks()
render(<App />, document.getElementById('app') ?? document.body)
