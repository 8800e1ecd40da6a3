import * as TestEngine from "../support/TestEngine.ts"
import { queueSuite } from "./queueSuite.ts"

queueSuite("pg-boss on PostgreSQL", TestEngine.layer)
