export { showBoard, showMissingPage, showRoadmap } from './show-board'
export { showIdea } from './show-idea'
export { showRefusal } from './show-problem'
export { showSitemap } from './show-sitemap'
