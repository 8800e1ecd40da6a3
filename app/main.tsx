import "./style.css"
import { render } from "preact"
import { App } from "./screens/App.tsx"

render(<App />, document.querySelector("#app")!)
