// SPDX-License-Identifier: Apache-2.0

/// One message of the kernel, still in bytes.
struct NetlinkMessage: Hashable {
    let type: UInt16
    let flags: UInt16
    /// The number of the question that it answers; zero for news.
    let sequence: UInt32
    let payload: ArraySlice<UInt8>
}

/// Takes a datagram of the kernel apart into messages; believes no length that it does not see.
struct NetlinkReader {
    private var rest: ArraySlice<UInt8>

    init(_ datagram: ArraySlice<UInt8>) {
        rest = datagram
    }

    /// Returns the next message, nil at the end.
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

/// Takes the end of a message apart into attributes.
struct NetlinkAttributes {
    /// One attribute: its number and its value.
    struct Element: Hashable {
        let type: UInt16
        let value: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Returns the next attribute, nil at the end.
    mutating func next() throws(NetlinkError) -> Element? {
        guard !rest.isEmpty else { return nil }
        guard let length = rest.number(UInt16.self, at: 0).map(Int.init),
            length >= Netlink.attributeHeaderLength, length <= rest.count,
            let type = rest.number(UInt16.self, at: 2)
        else { throw .malformed }
        let value = rest.prefix(length).dropFirst(Netlink.attributeHeaderLength)
        rest = rest.dropFirst(Netlink.aligned(length))
        return Element(type: type & ~Netlink.Attribute.flags, value: value)
    }
}
