// SPDX-License-Identifier: Apache-2.0

@testable import OfflineDownloads

/// Encodes valid and broken kernel messages.
enum NetlinkBytes {
    static func message(
        _ type: UInt16,
        flags: UInt16 = 0x2,
        sequence: UInt32 = 0,
        length: UInt32? = nil,
        _ payload: [UInt8] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: length ?? UInt32(16 + payload.count))
        bytes.append(number: type)
        bytes.append(number: flags)
        bytes.append(number: sequence)
        bytes.append(number: UInt32(4_711))
        return padded(bytes + payload)
    }

    static func link(
        _ index: Int32,
        _ flags: UInt32,
        sequence: UInt32 = 0,
        type: UInt16 = Netlink.MessageType.newLink
    ) -> [UInt8] {
        var payload: [UInt8] = [0, 0, 1, 0]
        payload.append(number: index)
        payload.append(number: flags)
        payload.append(number: UInt32.max)
        return message(type, sequence: sequence, payload + attribute(3, [UInt8]("eth0\0".utf8)))
    }

    static func route(
        family: UInt8 = 2,
        prefix: UInt8 = 0,
        type: UInt8 = 1,
        flags: UInt32 = 0,
        sequence: UInt32 = 0,
        _ attributes: [UInt8]...
    ) -> [UInt8] {
        var payload: [UInt8] = [family, prefix, 0, 0, 254, 3, 0, type]
        payload.append(number: flags)
        return message(
            Netlink.MessageType.newRoute,
            sequence: sequence,
            payload + attributes.flatMap { $0 }
        )
    }

    static func attribute(_ type: UInt16, _ value: [UInt8], length: UInt16? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: length ?? UInt16(4 + value.count))
        bytes.append(number: type)
        return padded(bytes + value)
    }

    /// Returns the attribute that names the interface of a route.
    static func interface(_ index: Int32) -> [UInt8] {
        attribute(Netlink.Attribute.outputInterface, number(index))
    }

    static func nextHop(_ index: Int32, flags: UInt8 = 0, length: UInt16 = 16) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: length)
        bytes.append(contentsOf: [flags, 0])
        bytes.append(number: index)
        return bytes + attribute(5, [192, 0, 2, 1])
    }

    static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(number: value)
        return bytes
    }

    static func done(_ sequence: UInt32) -> [UInt8] {
        message(Netlink.MessageType.done, sequence: sequence, number(Int32(0)))
    }

    static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + repeatElement(0, count: Netlink.aligned(bytes.count) - bytes.count)
    }

    // The flags of interfaces.
    static let working: UInt32 = 0x1_1043
    static let unplugged: UInt32 = 0x1003
    static let loopback: UInt32 = 0x1_0049
}
