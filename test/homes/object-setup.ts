import { env } from 'cloudflare:workers'
import { openObjectHome } from './object-database'

// Test files of a worker share `env`, so the second file finds both databases.
env.D1 ??= env.DB
env.DB = openObjectHome(env.HOME.getByName('home'))
