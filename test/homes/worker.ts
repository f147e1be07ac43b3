export { default } from '../../src/index'
export { ObjectHome } from './object-home'
