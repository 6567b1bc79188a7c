// SPDX-License-Identifier: Apache-2.0

/// A message without its type, encoded on demand.
struct AnyBridgedMessage: Sendable {
    let name: WireName
    let version: Int
    let key: String?
    let encode: @Sendable () throws(BridgeError) -> [UInt8]

    init<M: BridgedMessage>(_ message: M, _ codec: BridgeCodec) {
        name = M.wireName
        version = M.wireVersion
        key = message.orderingKey
        encode = { () throws(BridgeError) in
            do {
                return try codec.encode(message)
            } catch {
                throw BridgeError(
                    .codec,
                    "\(M.wireName) cannot be encoded: \(error).",
                    cause: error
                )
            }
        }
    }

    /// Returns the headers.
    ///
    /// Without an id here, the outbox row makes the id later.
    func headers(origin: String, id: String?, hops: Int, trace: String?) -> FrameHeaders {
        var fields: [FrameHeaders.Field] = []
        fields.reserveCapacity(8)
        let add = { (name: FrameHeaders.Name, value: String) in
            fields.append(FrameHeaders.Field(name.text, value))
        }
        if let id { add(.id, id) }
        add(.origin, origin)
        add(.type, name.text)
        add(.version, String(version))
        if let key { add(.key, KeyToken.header(key)) }
        add(.hops, String(hops))
        if let trace { add(.trace, trace) }
        return FrameHeaders(fields)
    }
}
