import type { Operations } from 'groundwork-client'
import { client } from './client'
import { useQuery } from './queries'

export type Product = Operations['listProducts']['data'][number]

const MAX_PRODUCTS = 100
const options = { queryKey: ['product'], queryFn: () => client.listProducts({ limit: MAX_PRODUCTS }) }

export const useProductList = () => useQuery<Product[]>(options)
export const useProducts = (): readonly Product[] => useProductList().data ?? []
