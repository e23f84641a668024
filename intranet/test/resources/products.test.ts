import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

describe('a product', () => {
  let world: World
  let manager: Client
  let made = 0

  before(async () => {
    world = await openCampus()
    manager = await world.caller({ roles: ['Shop manager'] })
  })
  after(() => world.close())

  const values = (more: object = {}) => {
    made += 1
    const image = `https://shop.test/${made}.png`
    return { name: `Mug ${made}`, description: 'Holds tea', price: 20, category_id: 1, kind: 'user', image, ...more }
  }
  const make = async (more: object = {}, path = '/v2/products') => {
    const { status, json, text } = await manager.post(path, { product: values(more) })
    assert.equal(status, 201, text)
    return json
  }
  const idsAt = async (campus: number) =>
    (await world.visitor.get(`/v2/campus/${campus}/products?page[size]=100`)).json.map(({ id }: { id: number }) => id)

  it('is shown to everybody, with an image in two sizes', async () => {
    const { id, created_at, updated_at, ...rest } = await make({ name: 'Blue mug', image: 'https://shop.test/mug.png' })
    assert.deepEqual(rest, {
      name: 'Blue mug',
      description: 'Holds tea',
      price: 20,
      quantity: null,
      begin_at: null,
      end_at: null,
      category_id: 1,
      kind: 'user',
      slug: 'blue-mug',
      image: { url: 'https://shop.test/mug.png', thumb: { url: null } },
      is_uniq: null,
      one_time_purchase: null,
    })
    assert.deepEqual((await world.visitor.get(`/v2/products/${id}`)).json, {
      id,
      ...ordered(rest, created_at, updated_at),
    })
    const { errors } = (await manager.post('/v2/products', { product: values({ name: 'Blue mug' }) })).json
    assert.deepEqual(errors, { name: ['has already been taken'] })
  })

  const ordered = (rest: object, created_at: string, updated_at: string) => ({ ...rest, created_at, updated_at })

  it('is sold at the campuses that come along, until it is taken from them', async () => {
    const [lyon, paris] = [await world.build.campus({ name: 'Lyon' }), await world.build.campus()]
    const { id } = await make({ campus_products_attributes: [{ campus_id: lyon }, { campus_id: paris }] })
    const [listed] = (await world.visitor.get(`/v2/campus/${lyon}/products`)).json
    assert.deepEqual([listed.id, listed.campus_id, listed.campus_name], [id, lyon, 'Lyon'])
    const [row] = await world.database.rows('select id from campus_products where campus_id = $1', [lyon])
    const removal = [{ id: Number(row?.[0]), _destroy: true }]
    const { status } = await manager.patch(`/v2/products/${id}`, { product: { campus_products_attributes: removal } })
    assert.deepEqual([status, await idsAt(lyon), await idsAt(paris)], [204, [], [id]])
    assert.equal((await world.visitor.get(`/v2/campus/${lyon}/products/${id}`)).status, 404)
    assert.equal((await manager.delete(`/v2/campus/${lyon}/products/${id}`)).status, 404)
  })

  it('is sold at the campus under which it is made', async () => {
    const campus = await world.build.campus()
    const { id } = await make({}, `/v2/campus/${campus}/products`)
    const named = await make({ campus_products_attributes: [{ campus_id: campus }] }, `/v2/campus/${campus}/products`)
    assert.deepEqual(await idsAt(campus), [named.id, id])
    const path = `/v2/campus/${campus}/products/${id}`
    assert.equal((await manager.patch(path, { product: { price: 5 } })).status, 204)
    assert.equal((await world.visitor.get(path)).json.price, 5)
    assert.equal((await manager.delete(path)).status, 204)
    assert.deepEqual(await idsAt(campus), [named.id])
    const nowhere = await manager.post('/v2/campus/2000000/products', { product: values() })
    assert.equal(nowhere.status, 404)
  })

  it('ends after it begins, and costs no less than nothing', async () => {
    const times = { begin_at: '2026-03-03T00:00:00Z', end_at: '2026-03-02T00:00:00Z' }
    for (const [more, errors] of [
      [times, { end_at: ['must be after begin_at'] }],
      [{ price: -1 }, { price: ['must be 0 or more'] }],
      [{ kind: 'gift' }, { kind: ['is not included in the list: user, manager, auto'] }],
    ] as const) {
      const { status, json } = await manager.post('/v2/products', { product: values(more) })
      assert.deepEqual([status, json.errors], [422, errors])
    }
  })

  it('has its orders below it, and stays while there are any', async () => {
    const [campus, user] = [await world.build.campus(), await world.build.user()]
    const { id } = await make({}, `/v2/campus/${campus}/products`)
    const command = await world.build.record('commands', { product_id: id, user_id: user, owner_id: user })
    await world.build.record('commands', { product_id: (await make()).id, user_id: user })
    for (const path of [`/v2/products/${id}/commands`, `/v2/campus/${campus}/products/${id}/commands`]) {
      const [{ created_at, updated_at, ...rest }, ...others] = (await world.visitor.get(path)).json
      const nothing = { validator_id: null, validated_at: null }
      assert.deepEqual(
        [rest, others],
        [{ id: command, product_id: id, user_id: user, owner_id: user, used: false, ...nothing }, []],
      )
      assert.ok(created_at && updated_at)
      assert.deepEqual((await world.visitor.get(`${path}?filter[validated]=true`)).json, [])
    }
    const elsewhere = await world.build.campus()
    assert.deepEqual((await world.visitor.get(`/v2/campus/${elsewhere}/products/${id}/commands`)).json, [])
    const { status, json } = await manager.delete(`/v2/products/${id}`)
    assert.deepEqual([status, json.errors], [422, { base: ['is still used by 1 commands'] }])
  })
})
