#!/usr/bin/env node
/** The `campus` command of an installed package. */
import { fileURLToPath } from 'node:url'
import { isTooOld, runOnNewer } from './newer-node.js'

if (isTooOld) runOnNewer(fileURLToPath(import.meta.url))
else await import('../dist/main.js')
