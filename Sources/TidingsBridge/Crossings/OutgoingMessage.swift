// SPDX-License-Identifier: Apache-2.0

/// A message without its type, encoded when it is needed.
struct OutgoingMessage: Sendable {
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

    /// Returns the headers, without an id if none is given: the outbox row then makes it.
    func headers(origin: String, id: String?, hops: Int, trace: String?) -> FrameHeaders {
        var headers = FrameHeaders()
        if let id { headers.append(FrameHeaders.Name.id.text, id) }
        headers.append(FrameHeaders.Name.origin.text, origin)
        headers.append(FrameHeaders.Name.type.text, name.text)
        headers.append(FrameHeaders.Name.version.text, "\(version)")
        if let key { headers.append(FrameHeaders.Name.key.text, KeyToken.header(key)) }
        headers.append(FrameHeaders.Name.hops.text, "\(hops)")
        if let trace { headers.append(FrameHeaders.Name.trace.text, trace) }
        return headers
    }
}
