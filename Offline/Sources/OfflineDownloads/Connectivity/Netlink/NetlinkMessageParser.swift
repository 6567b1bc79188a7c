// SPDX-License-Identifier: Apache-2.0

/// A message from the kernel with an undecoded payload.
struct NetlinkMessage: Hashable {
    let type: UInt16
    let flags: UInt16
    /// The sequence number of the request that the message answers.
    ///
    /// Notifications have zero.
    let sequence: UInt32
    let payload: ArraySlice<UInt8>
}

/// Splits a datagram from the kernel into messages.
///
/// The parser checks every length against the number of bytes in the datagram.
struct NetlinkMessageParser {
    private var rest: ArraySlice<UInt8>

    init(_ datagram: ArraySlice<UInt8>) {
        rest = datagram
    }

    /// Returns the next message, or nil at the end.
    mutating func next() throws(NetlinkError) -> NetlinkMessage? {
        guard !rest.isEmpty else { return nil }
        guard let length = rest.number(UInt32.self, at: 0).map(Int.init(clamping:)),
            length >= Netlink.headerLength, length <= rest.count,
            let type = rest.number(UInt16.self, at: 4),
            let flags = rest.number(UInt16.self, at: 6),
            let sequence = rest.number(UInt32.self, at: 8)
        else { throw .malformed }
        let message = NetlinkMessage(
            type: type,
            flags: flags,
            sequence: sequence,
            payload: rest.prefix(length).dropFirst(Netlink.headerLength)
        )
        rest = rest.dropFirst(Netlink.aligned(length))
        return message
    }
}

/// Splits the end of a message into attributes.
struct NetlinkAttributeParser {
    /// The number and the value of an attribute.
    struct Attribute: Hashable {
        let type: UInt16
        let value: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Returns the next attribute, or nil at the end.
    mutating func next() throws(NetlinkError) -> Attribute? {
        guard !rest.isEmpty else { return nil }
        guard let length = rest.number(UInt16.self, at: 0).map(Int.init),
            length >= Netlink.attributeHeaderLength, length <= rest.count,
            let type = rest.number(UInt16.self, at: 2)
        else { throw .malformed }
        let value = rest.prefix(length).dropFirst(Netlink.attributeHeaderLength)
        rest = rest.dropFirst(Netlink.aligned(length))
        return Attribute(type: type & ~Netlink.Attribute.flags, value: value)
    }
}
