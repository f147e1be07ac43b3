import type { Hono } from 'hono'
import { ApiError } from '../text/errors'
import type { AppEnv } from './response'

export function missingRouteError(app: Hono<AppEnv>, method: string, path: string): ApiError {
  const nearest = app.routes.find((route) => pathMatchesPattern(route.path, path))
  if (!nearest) {
    const withoutSlash = path.replace(/\/+$/, '')
    if (withoutSlash !== path && app.routes.some((route) => pathMatchesPattern(route.path, withoutSlash)))
      return new ApiError('route_not_found', `No operation has a path with a slash at the end. Use ${withoutSlash}.`)
    return new ApiError('route_not_found', `No operation has the path ${path}. See /docs for all operations.`)
  }
  const methods = app.routes.filter((route) => route.path === nearest.path).map((route) => route.method)
  const allow = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].join(', ')
  return new ApiError('method_not_allowed', `${method} is not possible here. Use ${allow}.`, {
    headers: { Allow: allow },
  })
}

export function pathMatchesPattern(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length && wanted.every((part, n) => (part.startsWith(':') ? given[n] : part === given[n]))
  )
}
