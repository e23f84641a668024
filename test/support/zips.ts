/** An entry of a zip. `packed` is the deflated content, and `bytes` the declared size of the inflated content. */
export type ZipEntry = { readonly name: string; readonly packed: Buffer; readonly bytes?: number }

/**
 * Returns a zip of entries that are deflated already, so that tests can repeat content and declare wrong sizes. With `isZip64`,
 * all sizes are in the zip64 field, as some writers do.
 */
export function zipOf(entries: readonly ZipEntry[], { isZip64 = false } = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, packed, bytes = 1 } of entries) {
    const local = localHeader(name, packed.length, bytes)
    const extra = isZip64 ? zip64Field(bytes, packed.length, offset) : Buffer.of()
    const sizes = isZip64 ? [0xffffffff, 0xffffffff, 0xffffffff] : [packed.length, bytes, offset]
    files.push(local, Buffer.from(name), packed)
    directory.push(centralHeader(name, extra.length, sizes), Buffer.from(name), extra)
    offset += local.length + name.length + packed.length
  }
  const listing = Buffer.concat(directory)
  return Buffer.concat([...files, listing, endOfDirectory(entries.length, listing.length, offset)])
}

function localHeader(name: string, packed: number, bytes: number): Buffer {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(packed, 18)
  header.writeUInt32LE(bytes, 22)
  header.writeUInt16LE(name.length, 26)
  return header
}

function centralHeader(name: string, extra: number, [packed = 0, bytes = 0, offset = 0]: readonly number[]): Buffer {
  const header = Buffer.alloc(46)
  header.write('PK\x01\x02\x14', 'latin1')
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(8, 10)
  header.writeUInt32LE(packed, 20)
  header.writeUInt32LE(bytes, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(extra, 30)
  header.writeUInt32LE(offset, 42)
  return header
}

function zip64Field(bytes: number, packed: number, offset: number): Buffer {
  const field = Buffer.alloc(28)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(24, 2)
  field.writeBigUInt64LE(BigInt(bytes), 4)
  field.writeBigUInt64LE(BigInt(packed), 12)
  field.writeBigUInt64LE(BigInt(offset), 20)
  return field
}

function endOfDirectory(entries: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries % 65_536, 8)
  end.writeUInt16LE(entries % 65_536, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
