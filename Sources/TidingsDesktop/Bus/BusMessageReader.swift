// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd
internal import Glibc

/// Reads the header and the values of an sd-bus message.
///
/// sd-bus has already validated the message, so depth, lengths and strings follow the protocol for
/// any sender. The protocol still allows a hundred million values, so a reader stops at a budget.
/// sd-bus owns the message and keeps the message only for the duration of the callback, so create
/// and use the reader there. The returned values are copies.
struct BusMessageReader {
    let message: OpaquePointer
    /// The number of bytes that may still be read.
    private var budget = 1 << 22

    init(message: OpaquePointer) {
        self.message = message
    }

    /// Returns the message without the values.
    func header() -> BusMessage {
        BusMessage(
            sender: sd_bus_message_get_sender(message).map { String(cString: $0) },
            path: sd_bus_message_get_path(message).map { String(cString: $0) },
            interface: sd_bus_message_get_interface(message).map { String(cString: $0) },
            member: sd_bus_message_get_member(message).map { String(cString: $0) },
            signature: sd_bus_message_get_signature(message, 1).map { String(cString: $0) } ?? "",
            body: []
        )
    }

    /// Reads the values up to the end of the open container.
    ///
    /// - Returns: The values, or nil if a value is unreadable or the budget is exceeded.
    mutating func values() -> [BusValue]? {
        var values: [BusValue] = []
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let result = sd_bus_message_peek_type(message, &type, &contents)
            if result == 0 { return values }
            guard result > 0, spend(16) else { return nil }
            let signature = contents.map { String(cString: $0) } ?? ""
            guard let value = value(UInt8(bitPattern: type), signature) else { return nil }
            values.append(value)
        }
    }

    private mutating func spend(_ count: Int) -> Bool {
        budget -= count
        return budget >= 0
    }

    private mutating func value(_ type: UInt8, _ contents: String) -> BusValue? {
        switch Unicode.Scalar(type) {
        case "y": number(type, UInt8(0)).map(BusValue.byte)
        case "b": number(type, Int32(0)).map { .bool($0 != 0) }
        case "n": number(type, Int16(0)).map(BusValue.int16)
        case "q": number(type, UInt16(0)).map(BusValue.uint16)
        case "i": number(type, Int32(0)).map(BusValue.int32)
        case "u": number(type, UInt32(0)).map(BusValue.uint32)
        case "x": number(type, Int64(0)).map(BusValue.int64)
        case "t": number(type, UInt64(0)).map(BusValue.uint64)
        case "d": number(type, Double(0)).map(BusValue.double)
        case "s": string(type).map(BusValue.string)
        case "o": string(type).map(BusValue.objectPath)
        case "g": string(type).map(BusValue.signature)
        // The message owns the file descriptors, and no code here uses a descriptor. A placeholder
        // keeps the position.
        case "h": number(type, Int32(0)).map { _ in .int32(-1) }
        case "a" where contents == "y": bytes()
        case "a": container(type, contents).map { .array(of: contents, $0) }
        case "r": container(type, contents).map(BusValue.structure)
        case "e":
            container(type, contents).flatMap { $0.count == 2 ? .entry($0[0], $0[1]) : nil }
        case "v": container(type, contents)?.first.map(BusValue.variant)
        default: nil
        }
    }

    private func number<Number: BitwiseCopyable>(_ type: UInt8, _ zero: Number) -> Number? {
        var number = zero
        return sd_bus_message_read_basic(message, CChar(type), &number) > 0 ? number : nil
    }

    private mutating func string(_ type: UInt8) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, CChar(type), &text) > 0, let text,
            spend(strlen(text))
        else { return nil }
        return String(cString: text)
    }

    private mutating func bytes() -> BusValue? {
        var start: UnsafeRawPointer?
        var count = 0
        let type = CChar(UInt8(ascii: "y"))
        guard sd_bus_message_read_array(message, type, &start, &count) >= 0,
            spend(count)
        else { return nil }
        return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    }

    private mutating func container(_ type: UInt8, _ contents: String) -> [BusValue]? {
        guard sd_bus_message_enter_container(message, CChar(type), contents) > 0 else {
            return nil
        }
        let values = values()
        guard values != nil, sd_bus_message_exit_container(message) >= 0 else { return nil }
        return values
    }
}
#endif
