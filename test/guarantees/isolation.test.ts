import * as Server from "../support/TestServer.ts"
import { isolationSuite } from "./isolationSuite.ts"

isolationSuite("tenant isolation", Server.layer)
